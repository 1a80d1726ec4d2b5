import type { ArchiveFile } from '../capture/archive/manifest.ts'
import { DiskFull, type Folder } from './folder.ts'
import { mergeable, mergeFiles } from './merge.ts'

/** Makes one file of several, so that a row takes fewer bytes. */
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
        isMore = (await this.#try(part)) || isMore
      }
    }
  }

  get #files(): ArchiveFile[] {
    return this.#folder.manifest.files.filter((file) => !this.#unread.has(file))
  }

  async #try(files: readonly ArchiveFile[]): Promise<boolean> {
    try {
      return await mergeFiles(this.#folder, files)
    } catch (error) {
      if (error instanceof DiskFull) throw error
      for (const file of files) this.#unread.add(file)
      const paths = files.map(({ path }) => path).join(', ')
      this.#say(`Files are not made one, and stay as they are: ${paths}. ${(error as Error).message}`)
      return false
    }
  }

  /** The file at work is finished; no other is begun. */
  stop(): void {
    this.#isOver = true
  }
}
