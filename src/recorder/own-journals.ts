import type { Folder } from './folder.ts'
import { JournalFiles, type OpenArchive, openArchive, type UnfoldedRows } from './journal-files.ts'

interface Recorder {
  readonly unfolded: readonly UnfoldedRows[]
}

/**
 * The archive that this process writes, for a page that it serves: its recorders hold the rows of their journals until
 * these are files, so that none is read from the disk and held once more.
 */
export class OwnJournals {
  readonly #folder: Folder
  readonly #recorders: readonly Recorder[]
  readonly #files: JournalFiles

  /** `scratch`: separate folder to which files for SQL are written. */
  constructor(folder: Folder, recorders: readonly Recorder[], scratch: string) {
    this.#folder = folder
    this.#recorders = recorders
    this.#files = new JournalFiles(scratch)
  }

  /** Returns the present state; nothing is read. */
  read(): Promise<OpenArchive> {
    const rows = this.#recorders.flatMap(({ unfolded }) => unfolded)
    return Promise.resolve(openArchive(this.#folder.manifest, rows, this.#files))
  }
}
