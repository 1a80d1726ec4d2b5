import type { ArchiveFile } from '../capture/archive/manifest.ts'
import { DiskFull, type Folder } from './folder.ts'
import { mergeable, mergeFiles } from './merge.ts'

/** Merges several files into one, so that a row takes fewer bytes. */
export class FileTidier {
  readonly #folder: Folder
  readonly #say: (sentence: string) => void
  /** Files that cannot be read; they are not merged. */
  readonly #unread = new Set<ArchiveFile>()
  #isOver = false

  constructor(folder: Folder, say: (sentence: string) => void) {
    this.#folder = folder
    this.#say = say
  }

  /** Merges files. Ended at any point, either the old files count or the merged one. Errors: `DiskFull`. */
  async run(nowMs: number): Promise<void> {
    // Merged files of hours may be merged again to a file of the day.
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

  /** Stops after the current merge. */
  stop(): void {
    this.#isOver = true
  }
}
