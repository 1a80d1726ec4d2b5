import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, statfsSync, writeSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { errorText } from '../base/text/error-text.ts'
import {
  type ArchiveFile,
  type ArchiveHour,
  type ArchiveNode,
  emptyManifest,
  journalOf,
  type Manifest,
  MANIFEST_FILE,
  readManifest,
} from '../capture/archive/manifest.ts'
import type { Ticks } from '../base/ticks.ts'
import { hoursWithFiles, joinHours } from './hours.ts'

/** Free space that the disk keeps for others: this share of it, or `FREE_BYTES` if that is less. */
const FREE_PART = 0.05
const FREE_BYTES = 1 << 30

/** Error of a disk that is full, or nearly so. It ends the recording. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull'
}

/** Error of a folder that is not one that this recorder may write to. */
export class FolderRefused extends Error {
  override readonly name = 'FolderRefused'
}

/** Folder of an archive, with a single writer. Every file in it is either listed in the manifest or a journal. */
export class Folder {
  readonly path: string
  #manifest: Manifest
  /** Sizes of the journals that are being written, by path. */
  readonly journalBytes = new Map<string, number>()

  private constructor(path: string, manifest: Manifest) {
    this.path = path
    this.#manifest = manifest
  }

  /**
   * Creates the folder if it is missing, and removes files that a crash left incomplete. Errors: `FolderRefused`, also
   * where files of a recording are not listed; those of the file system.
   */
  static async open(path: string): Promise<Folder> {
    mkdirSync(join(path, 'journal'), { recursive: true })
    const folder = new Folder(path, readManifestFile(path) ?? emptyManifest())
    await folder.#sweep()
    return folder
  }

  get manifest(): Manifest {
    return this.#manifest
  }

  /** Size of all files and journals in bytes. */
  get bytes(): number {
    const journals = [...this.journalBytes.values()].reduce((sum, bytes) => sum + bytes, 0)
    return this.#manifest.files.reduce((sum, { bytes }) => sum + bytes, journals)
  }

  /** Numbers of the journals of a server that are not yet replaced by files, oldest first. */
  async journals(node: string): Promise<number[]> {
    const first = this.#manifest.nodes.find(({ name }) => name === node)?.journal ?? 0
    return (await this.#all())
      .flatMap((path) => journalOf(path) ?? [])
      .filter((journal) => journal.node === node && journal.number >= first)
      .map(({ number }) => number)
      .toSorted((a, b) => a - b)
  }

  /** Writes a file atomically: temporary name, sync to the disk, rename. Errors: `DiskFull`. */
  write(path: string, bytes: Uint8Array): void {
    const full = join(this.path, path)
    mkdirSync(dirname(full), { recursive: true })
    wordsOfDisk(() => {
      const file = openSync(`${full}.tmp`, 'w')
      try {
        writeAll(file, bytes)
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
      renameSync(`${full}.tmp`, full)
      syncFolder(dirname(full))
    })
  }

  /** Adds files to the manifest. From then on only the server's journals from `node.journal` on count. */
  commit(node: ArchiveNode, files: readonly ArchiveFile[], hours: readonly ArchiveHour[] = []): void {
    const nodes = [...this.#manifest.nodes.filter(({ name }) => name !== node.name), node]
    this.#replace({
      ...this.#manifest,
      nodes: nodes.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      files: sorted([...this.#manifest.files, ...files]),
      hours: joinHours([...(this.#manifest.hours ?? []), ...hours]),
    })
  }

  /** Replaces old files by new ones in the manifest. False: one is no longer there, and nothing changed. */
  async supersede(old: readonly ArchiveFile[], files: readonly ArchiveFile[]): Promise<boolean> {
    const gone = new Set(old)
    const left = this.#manifest.files.filter((each) => !gone.has(each))
    if (left.length !== this.#manifest.files.length - gone.size) {
      for (const file of files) await this.remove(file)
      return false
    }
    const all = sorted([...left, ...files])
    this.#replace({ ...this.#manifest, files: all, hours: hoursWithFiles(this.#manifest.hours ?? [], all) })
    for (const each of old) await this.remove(each)
    return true
  }

  /** Removes files, from the manifest first. */
  async drop(gone: readonly ArchiveFile[]): Promise<void> {
    if (gone.length === 0) return
    const paths = new Set(gone.map(({ path }) => path))
    const files = this.#manifest.files.filter(({ path }) => !paths.has(path))
    this.#replace({ ...this.#manifest, files, hours: hoursWithFiles(this.#manifest.hours ?? [], files) })
    for (const file of gone) await this.remove(file)
  }

  /** Removes a file that is no longer in the manifest. */
  async remove({ path }: Pick<ArchiveFile, 'path'>): Promise<void> {
    await rm(join(this.path, path), { force: true })
  }

  /** Checks the free space of the disk. Errors: `DiskFull`, while some space is still left. */
  checkFree(): void {
    const { bavail, blocks, bsize } = statfsSync(this.path)
    const least = Math.min(FREE_BYTES, blocks * bsize * FREE_PART)
    if (bavail * bsize < least)
      throw new DiskFull(
        `The disk of ${this.path} has ${megabytes(bavail * bsize)} left, and the recording leaves the last ${megabytes(least)} to others: free some, or lower --max-size.`,
      )
  }

  #replace(manifest: Manifest): void {
    this.write(MANIFEST_FILE, new TextEncoder().encode(`${JSON.stringify(manifest, null, 1)}\n`))
    this.#manifest = manifest
  }

  async #all(): Promise<string[]> {
    const entries = await readdir(this.path, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(this.path, join(entry.parentPath, entry.name)).split(sep).join('/'))
  }

  async #sweep(): Promise<void> {
    const known = new Set(this.#manifest.files.map(({ path }) => path))
    const firstJournals = new Map(this.#manifest.nodes.map(({ name, journal }) => [name, journal]))
    const all = await this.#all()
    if (this.#manifest.nodes.length === 0 && all.some(isRecorded))
      throw new FolderRefused(
        `${this.path} has files of a recording, but no ${MANIFEST_FILE} that lists them: put it back, or record to another folder.`,
      )
    for (const path of all) {
      const journal = journalOf(path)
      const isOver = journal !== null && journal.number < (firstJournals.get(journal.node) ?? 0)
      // A crash leaves only files of servers that are listed; those of others were put there by someone.
      const isUncounted = isRecorded(path) && firstJournals.has(nodeOf(path)) && !known.has(path)
      if (isHalf(path) || isOver || isUncounted) await rm(join(this.path, path), { force: true })
    }
  }
}

const nodeOf = (path: string): string => /\/node=([^/]+)\//.exec(path)?.[1] ?? ''
/** Whether a path is that of a file of `write` that a crash left half-written. Others of that ending are the user's. */
const isHalf = (path: string): boolean =>
  path === `${MANIFEST_FILE}.tmp` || (path.endsWith('.parquet.tmp') && nodeOf(path) !== '')
const isRecorded = (path: string): boolean => path.endsWith('.parquet') && nodeOf(path) !== ''

const sorted = (files: readonly ArchiveFile[]): ArchiveFile[] => files.toSorted((a, b) => (a.path < b.path ? -1 : 1))

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6).toLocaleString('en-US')} MB`

/** Reads the manifest. Null: the folder has none yet. Errors: `FolderRefused`. */
function readManifestFile(path: string): Manifest | null {
  let text: string
  try {
    text = readFileSync(join(path, MANIFEST_FILE), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    return readManifest(text)
  } catch (error) {
    throw new FolderRefused(`${path}: ${errorText(error)}`, { cause: error })
  }
}

export function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
}

/** Syncs a folder: the name of a new file is on the disk only after that. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } catch {
    // Some systems cannot sync a folder, and write names to the disk by themselves.
  } finally {
    closeSync(folder)
  }
}

/** Runs a function and replaces the system's error of a full disk. Errors: `DiskFull`. */
export function wordsOfDisk<Result>(run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new DiskFull(`The disk is full: the recording stops, and what was written stays. ${message}`)
    throw error
  }
}

/** Time of day for the name of a file, which sorts like the time: `030000`. */
export const clockOf = (ticks: Ticks, msOf: (ticks: Ticks) => number): string =>
  new Date(msOf(ticks)).toISOString().slice(11, 19).replaceAll(':', '')
