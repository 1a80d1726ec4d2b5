import { closeSync, fdatasyncSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { encodeBlock, JOURNAL_MAGIC, type JournalEnd, readJournal } from '../capture/archive/journal.ts'
import { journalPath } from '../capture/archive/manifest.ts'
import type { ArchiveRecord } from '../capture/archive/records.ts'
import { type Folder, syncFolder, wordsOfDisk, writeAll } from './folder.ts'

/** Writer of one journal of a server: appends blocks to its end. */
export class JournalWriter {
  readonly number: number
  readonly #folder: Folder
  readonly #path: string
  readonly #file: number
  #waiting: ArchiveRecord[] = []

  /** Errors: `DiskFull`; `Error` if the journal exists already. */
  constructor(folder: Folder, node: string, number: number) {
    this.number = number
    this.#folder = folder
    this.#path = journalPath(node, number)
    const full = join(folder.path, this.#path)
    this.#file = openSync(full, 'wx')
    wordsOfDisk(() => writeAll(this.#file, JOURNAL_MAGIC))
    folder.journalBytes.set(this.#path, JOURNAL_MAGIC.length)
    syncFolder(dirname(full))
  }

  get bytes(): number {
    return this.#folder.journalBytes.get(this.#path) ?? 0
  }

  add(record: ArchiveRecord): void {
    this.#waiting.push(record)
  }

  /** Writes the added records; they are on the disk when it returns. Errors: `DiskFull`. */
  flush(): void {
    if (this.#waiting.length === 0) return
    const block = encodeBlock(this.#waiting)
    this.#waiting = []
    wordsOfDisk(() => {
      writeAll(this.#file, block)
      fdatasyncSync(this.#file)
    })
    this.#folder.journalBytes.set(this.#path, this.bytes + block.length)
  }

  /** Excludes the journal from the size of the archive: see `Folder.commit`. */
  forget(): void {
    this.#folder.journalBytes.delete(this.#path)
  }

  close(): void {
    closeSync(this.#file)
  }
}

/**
 * Reads the journals that an earlier recorder left, oldest first. Blocks after a truncated or damaged one do not count.
 */
export async function recover(
  folder: Folder,
  node: string,
  take: (record: ArchiveRecord) => void,
): Promise<{ readonly journals: readonly number[]; readonly ends: readonly JournalEnd[] }> {
  const journals = await folder.journals(node)
  const ends: JournalEnd[] = []
  for (const number of journals)
    ends.push(readJournal(await readFile(join(folder.path, journalPath(node, number))), take))
  return { journals, ends }
}
