import { ticksFromMs } from '../base/ticks.ts'
import { type ArchiveFile, CLASSES, classOf, type RetainedClass } from '../capture/archive/manifest.ts'
import { cutFile } from './cut.ts'
import { DiskFull, type Folder } from './folder.ts'
import { thinFile } from './thin.ts'

/** How long the rows of a class are kept, and in how many bytes; null: without that limit. */
export interface Limit {
  readonly keepMs: number | null
  readonly maxBytes: number | null
}

export interface Retention {
  readonly classes: Readonly<Record<RetainedClass, Limit>>
  /** Limit of all classes and journals together; null: without that limit. */
  readonly maxBytes: number | null
}

/** Limits are kept to this part: rows that are a little too old, or a few bytes too many, wait until it is worth a file. */
const EXACT = 0.01
/** Rows of a second and of a minute are summed whole. */
const MINUTE_MS = 60_000

/** Bytes by class of what went. */
export interface Removed {
  readonly bytes: number
  /** The last day of which I/O events were thinned; null: none were. */
  readonly thinned: string | null
}

/** Keeps the classes of an archive within their limits. */
export class Retaining {
  readonly #folder: Folder
  readonly #say: (sentence: string) => void
  /** Files that cannot be read; they go as a whole. */
  readonly #unread = new Set<string>()
  #isOver = false

  constructor(folder: Folder, say: (sentence: string) => void) {
    this.#folder = folder
    this.#say = say
  }

  /** Ended at any point, a row is there once or not at all, and so are its sums. Errors: `DiskFull`. */
  async run({ classes, maxBytes }: Retention, nowMs: number): Promise<Removed> {
    const before = this.#folder.bytes
    let thinned: string | null = null
    // Events first: what is left of them counts in the classes after it.
    for (const name of CLASSES) {
      const { keepMs, maxBytes: most } = classes[name]
      const aged = keepMs === null ? null : await this.#age(name, keepMs, nowMs, classes.rest.keepMs)
      const fitted = most === null ? null : await this.#fit(most, (file) => classOf(file) === name, 0)
      thinned = [thinned, aged, fitted].reduce((last, day) => (last === null || (day ?? '') > last ? day : last), null)
    }
    if (maxBytes !== null) {
      const isMinutes = (file: ArchiveFile): boolean => classOf(file) === 'minutes'
      const journals = this.#folder.bytes - this.#bytesOf(() => true)
      // Sums of a year are the oldest, and next to nothing: all else goes before them.
      await this.#fit(maxBytes, (file) => !isMinutes(file), journals + this.#bytesOf(isMinutes), false)
      await this.#fit(maxBytes, isMinutes, journals + this.#bytesOf((file) => !isMinutes(file)), false)
    }
    return { bytes: Math.max(0, before - this.#folder.bytes), thinned }
  }

  /** No other file is begun. */
  stop(): void {
    this.#isOver = true
  }

  /** Takes out rows that began too long ago. */
  async #age(name: RetainedClass, keepMs: number, nowMs: number, restMs: number | null): Promise<string | null> {
    const cutTicks = ticksFromMs(Math.floor((nowMs - keepMs) / MINUTE_MS) * MINUTE_MS)
    const lateTicks = ticksFromMs(nowMs - keepMs * (1 + EXACT))
    const own = this.#filesOf((file) => classOf(file) === name)
    if (name === 'events') {
      let thinned: string | null = null
      // A file that cannot be read has no sums: it stays as long as other rows.
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

  /** Takes out the oldest rows until these files, and so many bytes beside them, are no more than that. */
  async #fit(
    maxBytes: number,
    isOwn: (file: ArchiveFile) => boolean,
    others: number,
    isThinned = true,
  ): Promise<string | null> {
    const size = (): number => this.#bytesOf(isOwn) + others
    let thinned: string | null = null
    if (size() <= maxBytes) return null
    // A little more than has to go: the next minutes have room before a file is written once more.
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

  /** Oldest files of no more than so many bytes together; one at least. */
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

  /** A file that cannot be read goes as a whole. */
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

/** The start before which so large a part of the rows began; beyond all of them where it is the whole. */
const cutAt = (starts: Float64Array, part: number): number => {
  const cut = starts[Math.ceil(part * starts.length)] ?? Number.POSITIVE_INFINITY
  const [first = cut] = starts
  // All that began at the first moment go together, and no more.
  return cut === first ? (starts.find((start) => start > first) ?? Number.POSITIVE_INFINITY) : cut
}
