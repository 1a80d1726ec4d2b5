import type { ArchiveFile } from '../capture/archive/manifest.ts'
import { DiskFull, type Folder } from './folder.ts'
import { DAY_MS, mergeable, mergeFiles } from './merge.ts'
import { thinFile } from './thin.ts'

/** Makes one file of several, so that a row takes fewer bytes, and thins events that are too old. */
export class FileTidier {
  readonly #folder: Folder
  readonly #say: (sentence: string) => void
  /** Files that cannot be read; they stay as they are. */
  readonly #unread = new Set<ArchiveFile>()
  #isOver = false

  constructor(folder: Folder, say: (sentence: string) => void) {
    this.#folder = folder
    this.#say = say
  }

  /** Ended at any point, files count as they were or as one. Errors: `DiskFull`. */
  async run(nowMs: number): Promise<void> {
    // Hours that became one may be part of a day that is over.
    for (let isMore = true; isMore;) {
      isMore = false
      for (const part of mergeable(this.#files, nowMs)) {
        if (this.#isOver) return
        isMore = (await this.#try(part, 'made one', () => mergeFiles(this.#folder, part))) || isMore
      }
    }
  }

  /** Puts slow events and sums in the place of I/O events of days that ended longer ago than this. Errors: `DiskFull`. */
  async thin(nowMs: number, keepEventsMs: number): Promise<void> {
    const isTooOld = ({ day }: ArchiveFile): boolean => Date.parse(day) + DAY_MS <= nowMs - keepEventsMs
    let thinned: string | null = null
    for (const file of this.#files.filter((each) => each.table === 'io' && isTooOld(each))) {
      if (this.#isOver) return
      if (await this.#try([file], 'thinned', () => thinFile(this.#folder, file))) thinned = file.day
    }
    if (thinned !== null) this.#say(`of I/O events up to ${thinned} only slow ones and sums are kept from now on`)
  }

  get #files(): ArchiveFile[] {
    return this.#folder.manifest.files.filter((file) => !this.#unread.has(file))
  }

  async #try(files: readonly ArchiveFile[], what: string, change: () => Promise<boolean>): Promise<boolean> {
    try {
      return await change()
    } catch (error) {
      if (error instanceof DiskFull) throw error
      for (const file of files) this.#unread.add(file)
      const paths = files.map(({ path }) => path).join(', ')
      this.#say(`Files are not ${what}, and stay as they are: ${paths}. ${(error as Error).message}`)
      return false
    }
  }

  /** The file at work is finished; no other is begun. */
  stop(): void {
    this.#isOver = true
  }
}
