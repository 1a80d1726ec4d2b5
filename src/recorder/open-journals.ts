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
  /** Bytes that were read. */
  at: number
  readonly pending: Pending
  /** Rows that were written to files for SQL. */
  writtenRows: number
  files: readonly JournalFile[]
}

/** Rows of a journal as a file that SQL reads. */
interface JournalFile {
  /** Absolute. */
  readonly path: string
  readonly table: TableName
}

/** Files that were replaced stay for so many readings: a question may still read them. */
const KEPT_READINGS = 4

/** An archive with the rows that are in its journals alone. */
export interface OpenArchive {
  readonly manifest: Manifest
  /** Sums of those rows, by hour. */
  readonly hours: readonly ArchiveHour[]
  /** Writes them to files beside the archive. */
  readonly files: () => readonly JournalFile[]
}

/**
 * Journals of a folder that a recorder may write at the same time, for what shows the folder. Only what was appended since the
 * last reading is read; nothing is written to the folder.
 */
export class OpenJournals {
  readonly #folder: string
  readonly #scratch: string
  readonly #known = new Map<string, OpenJournal>()
  #reading: Promise<unknown> = Promise.resolve()
  /** Files that were replaced, by the readings since: a question may still read the newest of them. */
  readonly #replaced: JournalFile[][] = []

  /** `scratch`: a folder of its own, where files for SQL are written. */
  constructor(folder: string, scratch: string) {
    this.#folder = folder
    this.#scratch = scratch
  }

  /** Reads what is new. Errors: what the file system throws, and `Error` for a manifest that cannot be read. */
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
    // Read last: a journal that became files meanwhile does not count any more.
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
    // The last block may be on its way to the disk: the next reading goes on before it.
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

/** A folder without journals is whole; one that cannot be read is not. */
function noneIfMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}

/** Bytes from there to the end; null: the file is there no longer. */
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
