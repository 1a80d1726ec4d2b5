import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ArchiveHour, Manifest, TableName } from '../capture/archive/manifest.ts'
import { joinHours } from './hours.ts'
import { encodeTable } from './parquet.ts'
import type { Pending } from './pending.ts'

/** Rows of a journal that are not in files of the archive yet. */
export interface UnfoldedRows {
  readonly node: string
  /** Number of the journal. */
  readonly number: number
  readonly pending: Pending
}

/** Part of a journal's rows as a file that SQL can read. */
interface JournalFile {
  /** Absolute path. */
  readonly path: string
  readonly table: TableName
}

/** Archive together with the rows that are only in its journals. */
export interface OpenArchive {
  readonly manifest: Manifest
  /** Sums of the journals' rows, by hour. */
  readonly hours: readonly ArchiveHour[]
  /** Writes the journals' rows to files outside of the archive, and returns them. */
  readonly files: () => readonly JournalFile[]
}

export function openArchive(manifest: Manifest, rows: readonly UnfoldedRows[], files: JournalFiles): OpenArchive {
  files.begin(rows)
  return {
    manifest,
    hours: joinHours(rows.flatMap(({ node, pending }) => pending.hours(node))),
    files: () => rows.flatMap((each) => files.write(each)),
  }
}

/** Number of readings for which replaced files are kept: a running query may still read them. */
const KEPT_READINGS = 4

/** Files for SQL of rows that are in journals alone, outside of the archive. */
export class JournalFiles {
  readonly #scratch: string
  readonly #written = new Map<Pending, { readonly rows: number; readonly files: readonly JournalFile[] }>()
  /** Replaced files by reading, newest first. */
  readonly #replaced: JournalFile[][] = [[]]

  /** `scratch`: separate folder to which the files are written. */
  constructor(scratch: string) {
    this.#scratch = scratch
  }

  /** Begins a reading, of these rows: files of others are removed some readings later. */
  begin(all: readonly UnfoldedRows[]): void {
    this.#replaced.unshift([])
    for (const files of this.#replaced.splice(KEPT_READINGS))
      for (const { path } of files) rmSync(path, { force: true })
    const left = new Set(all.map(({ pending }) => pending))
    for (const [pending, { files }] of this.#written) {
      if (left.has(pending)) continue
      this.#replaced[0]?.push(...files)
      this.#written.delete(pending)
    }
  }

  write({ node, number, pending }: UnfoldedRows): readonly JournalFile[] {
    const before = this.#written.get(pending)
    if (before?.rows === pending.rows) return before.files
    this.#replaced[0]?.push(...(before?.files ?? []))
    const files = pending.parts().map(({ table, day, groups }) => {
      const name = `journal-${String(number)}-${String(pending.rows)}.parquet`
      const path = join(this.#scratch, table, `node=${node}`, `day=${day}`, name)
      if (!existsSync(dirname(path))) mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, encodeTable(table, groups()).bytes)
      return { path, table }
    })
    this.#written.set(pending, { rows: pending.rows, files })
    return files
  }
}
