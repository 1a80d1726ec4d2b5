import { closeSync, fdatasyncSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { encodeBlock, JOURNAL_MAGIC, type JournalEnd, readJournal } from '../capture/archive/journal.ts'
import { journalPath } from '../capture/archive/manifest.ts'
import type { ArchiveRecord } from '../capture/archive/records.ts'
import { FIGURES } from '../capture/archive/tables.ts'
import { type Ticks, ticksFromMs } from '../base/ticks.ts'
import { allIndexesLane, type Gap, type SourceId } from '../capture/client/state.ts'
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

/** Reads the journals of an earlier recorder, oldest first. Damaged blocks become gaps. */
export async function recover(
  folder: Folder,
  node: string,
  take: (record: ArchiveRecord) => void,
): Promise<{ readonly journals: readonly number[]; readonly ends: readonly JournalEnd[] }> {
  const journals = await folder.journals(node)
  const ends: JournalEnd[] = []
  const filed = folder.manifest.files.filter((file) => file.node === node).map(({ maxTicks }) => maxTicks)
  const damage = new Damage(filed.length === 0 ? null : (Math.max(...filed) as Ticks))
  for (const number of journals) {
    const path = journalPath(node, number)
    const each = (record: ArchiveRecord): void => {
      if (record.t === 'known') for (const gap of damage.known(record, path)) take({ t: 'gap', gap })
      take(record)
    }
    ends.push(readJournal(await readFile(join(folder.path, path)), each, () => damage.skipped()))
  }
  return { journals, ends }
}

type Known = Extract<ArchiveRecord, { t: 'known' }>

/** Gaps for what damaged blocks had: from what was known before them to what is known after. */
class Damage {
  readonly #filedTicks: Ticks | null
  #last: Known | null = null
  #isSkipped = false

  /** `filedTicks`: end of the rows in files; null: there are none. */
  constructor(filedTicks: Ticks | null) {
    this.#filedTicks = filedTicks
  }

  skipped(): void {
    this.#isSkipped = true
  }

  known(now: Known, path: string): Gap[] {
    const before = this.#last
    this.#last = now
    if (!this.#isSkipped) return []
    this.#isSkipped = false
    const detail = `${path}: A block is not as written.`
    const gap = (source: SourceId, lane: string | null, from: number | null, to: number): Gap[] =>
      from === null || from >= to
        ? []
        : [{ ...LOST, source, lane, startTicks: from as Ticks, endTicks: to as Ticks, detail }]
    const figures = ({ figuresMs = null, atMs }: Known): number => ticksFromMs(figuresMs ?? atMs)
    return [
      ...Object.entries(now.until).flatMap(([key, to]) => {
        const source: SourceId = key
        const from = before?.until[source] ?? this.#filedTicks
        return [gap(source, null, from, to), gap(source, allIndexesLane(source), from, to)].flat()
      }),
      ...gap('server', FIGURES, before === null ? this.#filedTicks : figures(before), figures(now)),
    ]
  }
}

const LOST = { id: -1, kind: null, reason: 'malformed', missingCount: null, missingBytes: null } as const
