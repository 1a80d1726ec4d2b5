import { ticksFromMs } from '../base/ticks.ts'
import { type ArchiveFile, CLASSES, classOf, type RetainedClass } from '../capture/archive/manifest.ts'
import { cutFile } from './cut.ts'
import { DiskFull, type Folder } from './folder.ts'
import { thinFile } from './thin.ts'

/** Maximum age and size of the rows of a class; null: no such limit. */
export interface Limit {
  readonly keepMs: number | null
  readonly maxBytes: number | null
}

export interface Retention {
  readonly classes: Readonly<Record<RetainedClass, Limit>>
  /** Maximum size of all classes and journals together; null: no such limit. */
  readonly maxBytes: number | null
}

/**
 * Tolerance of the limits, as a share: rows slightly too old and bytes slightly too many wait until rewriting a file is
 * worth it.
 */
const EXACT = 0.01
/** Rows are cut at whole minutes, so that the sums of a second and of a minute are complete. */
const MINUTE_MS = 60_000

/** Result of a run: the number of removed bytes. */
export interface Removed {
  readonly bytes: number
  /** Last day on which I/O events were thinned. Null: none were. */
  readonly thinned: string | null
}

/** Keeps the classes of an archive within their limits. */
export class Retaining {
  readonly #folder: Folder
  readonly #say: (sentence: string) => void
  /** Paths of files that cannot be read; such a file is removed as a whole. */
  readonly #unread = new Set<string>()
  #isOver = false

  constructor(folder: Folder, say: (sentence: string) => void) {
    this.#folder = folder
    this.#say = say
  }

  /** Applies the limits. Ended at any point, each row and its sums are there once or not. Errors: `DiskFull`. */
  async run({ classes, maxBytes }: Retention, nowMs: number): Promise<Removed> {
    const before = this.#folder.bytes
    let thinned: string | null = null
    // Events come first: what remains of them counts in the classes after it.
    for (const name of CLASSES) {
      const { keepMs, maxBytes: most } = classes[name]
      const aged = keepMs === null ? null : await this.#age(name, keepMs, nowMs, classes.rest.keepMs)
      const fitted = most === null ? null : await this.#fit(most, (file) => classOf(file) === name, 0)
      thinned = [thinned, aged, fitted].reduce((last, day) => (last === null || (day ?? '') > last ? day : last), null)
    }
    if (maxBytes !== null) {
      const isMinutes = (file: ArchiveFile): boolean => classOf(file) === 'minutes'
      const journals = this.#folder.bytes - this.#bytesOf(() => true)
      // Sums by minute reach back furthest, up to a year, but are tiny: everything else is removed before them.
      await this.#fit(maxBytes, (file) => !isMinutes(file), journals + this.#bytesOf(isMinutes), false)
      await this.#fit(maxBytes, isMinutes, journals + this.#bytesOf((file) => !isMinutes(file)), false)
    }
    return { bytes: Math.max(0, before - this.#folder.bytes), thinned }
  }

  /** Stops the run: no further file is processed. */
  stop(): void {
    this.#isOver = true
  }

  /** Removes rows that exceed the maximum age. */
  async #age(name: RetainedClass, keepMs: number, nowMs: number, restMs: number | null): Promise<string | null> {
    const cutTicks = ticksFromMs(Math.floor((nowMs - keepMs) / MINUTE_MS) * MINUTE_MS)
    const lateTicks = ticksFromMs(nowMs - keepMs * (1 + EXACT))
    const own = this.#filesOf((file) => classOf(file) === name)
    if (name === 'events') {
      let thinned: string | null = null
      // A file that cannot be read cannot be summed up: it stays as long as rows of the class `rest`.
      const longest = ticksFromMs(nowMs - (restMs ?? Number.POSITIVE_INFINITY))
      await this.#folder.drop(own.filter(({ path, maxTicks }) => this.#unread.has(path) && maxTicks < longest))
      for (const file of own.filter(({ path, minTicks }) => minTicks < lateTicks && !this.#unread.has(path)))
        if (await this.#shorten(file, () => cutTicks, true)) thinned = file.day
      return thinned
    }
    await this.#folder.drop(own.filter(({ maxTicks }) => maxTicks < cutTicks))
    for (const file of own.filter(({ minTicks, maxTicks }) => minTicks < lateTicks && maxTicks >= cutTicks))
      await this.#shorten(file, () => cutTicks, false)
    return null
  }

  /** Removes the oldest rows until the files of `isOwn` and `others` bytes together take at most `maxBytes`. */
  async #fit(
    maxBytes: number,
    isOwn: (file: ArchiveFile) => boolean,
    others: number,
    isThinned = true,
  ): Promise<string | null> {
    const size = (): number => this.#bytesOf(isOwn) + others
    let thinned: string | null = null
    if (size() <= maxBytes) return null
    // Slightly more than necessary is removed, so that the next minutes have room before a file is rewritten again.
    const target = maxBytes * (1 - EXACT / 2)
    while (size() > maxBytes && !this.#isOver) {
      const [oldest] = this.#filesOf(isOwn)
      if (oldest === undefined) break
      const part = (size() - target) / oldest.bytes
      const cut = (starts: Float64Array): number => cutAt(starts, part)
      const isRead = !this.#unread.has(oldest.path)
      if (isThinned && oldest.table === 'io' && isRead) {
        if (await this.#shorten(oldest, cut, true)) thinned = oldest.day
      } else if (part >= 1 || !isRead) await this.#folder.drop(this.#oldest(isOwn, size() - target))
      else await this.#shorten(oldest, cut, false)
    }
    return thinned
  }

  /** Oldest files with at most that many bytes together, but at least one. */
  #oldest(isOwn: (file: ArchiveFile) => boolean, bytes: number): ArchiveFile[] {
    let left = bytes
    return this.#filesOf(isOwn).filter((file, at) => {
      left -= file.bytes
      return left >= 0 || at === 0
    })
  }

  #filesOf(isOwn: (file: ArchiveFile) => boolean): ArchiveFile[] {
    return this.#folder.manifest.files.filter(isOwn).toSorted((a, b) => a.minTicks - b.minTicks)
  }

  #bytesOf(isOwn: (file: ArchiveFile) => boolean): number {
    return this.#filesOf(isOwn).reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Removes rows of a file. A file that cannot be read is remembered, to be removed as a whole. */
  async #shorten(file: ArchiveFile, cut: (starts: Float64Array) => number, isThinned: boolean): Promise<boolean> {
    if (this.#isOver) return false
    try {
      if (!this.#unread.has(file.path))
        return await (isThinned ? thinFile(this.#folder, file, cut) : cutFile(this.#folder, file, cut))
    } catch (error) {
      if (error instanceof DiskFull) throw error
      this.#unread.add(file.path)
      this.#say(`${file.path} cannot be read, and goes as a whole when it is too old. ${(error as Error).message}`)
    }
    return false
  }
}

/** Start before which the given part of the rows began; infinity if that is all rows. */
const cutAt = (starts: Float64Array, part: number): number => {
  const cut = starts[Math.ceil(part * starts.length)] ?? Number.POSITIVE_INFINITY
  const [first = cut] = starts
  // At least all rows of the first start are removed.
  return cut === first ? (starts.find((start) => start > first) ?? Number.POSITIVE_INFINITY) : cut
}
