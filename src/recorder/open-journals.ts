import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { open, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { JOURNAL_MAGIC, readJournal } from '../capture/archive/journal.ts'
import {
  type ArchiveHour,
  journalOf,
  journalPath,
  type Manifest,
  MANIFEST_FILE,
  readManifest,
  type TableName,
} from '../capture/archive/manifest.ts'
import { joinHours } from './hours.ts'
import { encodeTable } from './parquet.ts'
import { Pending } from './pending.ts'

interface OpenJournal {
  readonly node: string
  readonly number: number
  /** Number of bytes that were read. */
  at: number
  readonly pending: Pending
  /** Number of rows that were written to files for SQL. */
  writtenRows: number
  files: readonly JournalFile[]
}

/** Part of a journal's rows as a file that SQL can read. */
interface JournalFile {
  /** Absolute path. */
  readonly path: string
  readonly table: TableName
}

/** Number of readings for which replaced files are kept: a running query may still read them. */
const KEPT_READINGS = 4

/** Archive together with the rows that are only in its journals. */
export interface OpenArchive {
  readonly manifest: Manifest
  /** Sums of the journals' rows, by hour. */
  readonly hours: readonly ArchiveHour[]
  /** Writes the journals' rows to files outside of the archive, and returns them. */
  readonly files: () => readonly JournalFile[]
}

/**
 * Reads the journals of a folder, for programs that show it while a recorder may be writing. Each call reads only what
 * was appended since the previous one. Nothing is written to the folder.
 */
export class OpenJournals {
  readonly #folder: string
  readonly #scratch: string
  readonly #known = new Map<string, OpenJournal>()
  #reading: Promise<unknown> = Promise.resolve()
  /** Replaced files by reading, newest first: a running query may still read them. */
  readonly #replaced: JournalFile[][] = []

  /** `scratch`: separate folder to which files for SQL are written. */
  constructor(folder: string, scratch: string) {
    this.#folder = folder
    this.#scratch = scratch
  }

  /** Reads what was appended. Errors: errors of the file system, and `Error` for an invalid manifest. */
  read(): Promise<OpenArchive> {
    const reading = this.#reading.then(() => this.#read())
    this.#reading = reading.catch(() => undefined)
    return reading
  }

  async #read(): Promise<OpenArchive> {
    const names = await readdir(join(this.#folder, 'journal')).catch(noneIfMissing)
    const listed = names.flatMap((name) => journalOf(`journal/${name}`) ?? [])
    const paths = new Set(listed.map(({ node, number }) => journalPath(node, number)))
    this.#removeReplaced()
    for (const [path, journal] of this.#known) if (!paths.has(path)) this.#forget(path, journal)
    for (const { node, number } of listed) await this.#readOne(journalPath(node, number), node, number)
    // Read after the journals: a journal that was folded into files meanwhile is then no longer counted.
    const manifest = readManifest(await readFile(join(this.#folder, MANIFEST_FILE), 'utf8'))
    const first = new Map(manifest.nodes.map(({ name, journal }) => [name, journal]))
    const open = [...this.#known.values()].filter(({ node, number }) => number >= (first.get(node) ?? 0))
    return {
      manifest,
      hours: joinHours(open.flatMap(({ node, pending }) => pending.hours(node))),
      files: () => open.flatMap((journal) => this.#write(journal)),
    }
  }

  async #readOne(path: string, node: string, number: number): Promise<void> {
    const known = this.#known.get(path) ?? { node, number, at: 0, pending: new Pending(), writtenRows: 0, files: [] }
    this.#known.set(path, known)
    const bytes = await readFrom(join(this.#folder, path), known.at)
    if (bytes === null) {
      this.#forget(path, known)
      return
    }
    if (bytes.length === 0) return
    const skipped = known.at === 0 ? 0 : JOURNAL_MAGIC.length
    const whole = skipped === 0 ? bytes : joined(JOURNAL_MAGIC, bytes)
    // The last block may be incomplete, as it is still being written: the next reading starts before it.
    const { goodBytes } = readJournal(whole, (record) => known.pending.take(record))
    known.at += Math.max(0, goodBytes - skipped)
  }

  #forget(path: string, { files }: OpenJournal): void {
    this.#known.delete(path)
    this.#replaced[0]?.push(...files)
  }

  #removeReplaced(): void {
    this.#replaced.unshift([])
    for (const files of this.#replaced.splice(KEPT_READINGS))
      for (const { path } of files) rmSync(path, { force: true })
  }

  #write(journal: OpenJournal): readonly JournalFile[] {
    const { node, number, pending } = journal
    if (pending.rows === journal.writtenRows) return journal.files
    journal.writtenRows = pending.rows
    this.#replaced[0]?.push(...journal.files)
    journal.files = pending.parts().map(({ table, day, groups }) => {
      const path = join(
        this.#scratch,
        table,
        `node=${node}`,
        `day=${day}`,
        `journal-${String(number)}-${String(pending.rows)}.parquet`,
      )
      if (!existsSync(dirname(path))) mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, encodeTable(table, groups()).bytes)
      return { path, table }
    })
    return journal.files
  }
}

/** A missing folder means that there are no journals; any other error is thrown. */
function noneIfMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}

/** Bytes of a file from an offset to its end. Null: the file no longer exists. */
async function readFrom(path: string, at: number): Promise<Uint8Array | null> {
  let file
  try {
    file = await open(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    const { size } = await file.stat()
    const bytes = new Uint8Array(Math.max(0, size - at))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, at)
    return bytes.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const all = new Uint8Array(a.length + b.length)
  all.set(a)
  all.set(b, a.length)
  return all
}
