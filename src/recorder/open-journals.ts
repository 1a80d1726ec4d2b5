import { open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { concatBytes } from '../base/concat-bytes.ts'
import { JOURNAL_MAGIC, readJournal } from '../capture/archive/journal.ts'
import { journalOf, journalPath, MANIFEST_FILE, readManifest } from '../capture/archive/manifest.ts'
import { JournalFiles, type OpenArchive, openArchive, type UnfoldedRows } from './journal-files.ts'
import { Pending } from './pending.ts'

interface OpenJournal extends UnfoldedRows {
  /** Number of bytes that were read. */
  at: number
}

/**
 * Reads the journals of a folder, for programs that show it while a recorder may be writing. Each call reads only what
 * was appended since the previous one. Nothing is written to the folder.
 */
export class OpenJournals {
  readonly #folder: string
  readonly #files: JournalFiles
  readonly #known = new Map<string, OpenJournal>()
  #reading: Promise<unknown> = Promise.resolve()

  /** `scratch`: separate folder to which files for SQL are written. */
  constructor(folder: string, scratch: string) {
    this.#folder = folder
    this.#files = new JournalFiles(scratch)
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
    for (const path of this.#known.keys()) if (!paths.has(path)) this.#known.delete(path)
    for (const { node, number } of listed) await this.#readOne(journalPath(node, number), node, number)
    // Read after the journals: a journal that was folded into files meanwhile is then no longer counted.
    const manifest = readManifest(await readFile(join(this.#folder, MANIFEST_FILE), 'utf8'))
    const first = new Map(manifest.nodes.map(({ name, journal }) => [name, journal]))
    const open = [...this.#known.values()].filter(({ node, number }) => number >= (first.get(node) ?? 0))
    return openArchive(manifest, open, this.#files)
  }

  async #readOne(path: string, node: string, number: number): Promise<void> {
    const known = this.#known.get(path) ?? { node, number, at: 0, pending: new Pending() }
    this.#known.set(path, known)
    const bytes = await readFrom(join(this.#folder, path), known.at)
    if (bytes === null) {
      this.#known.delete(path)
      return
    }
    if (bytes.length === 0) return
    const skipped = known.at === 0 ? 0 : JOURNAL_MAGIC.length
    const whole = skipped === 0 ? bytes : concatBytes([JOURNAL_MAGIC, bytes])
    // The last block may be incomplete, as it is still being written: the next reading starts before it.
    const { goodBytes } = readJournal(whole, (record) => known.pending.take(record))
    known.at += Math.max(0, goodBytes - skipped)
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
