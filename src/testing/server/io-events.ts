/** Count and byte sum by `<environment path> <kind>`, made as plainly as possible from what the server sent. */
export type Totals = Record<string, { count: number; bytes: number }>

/** An event in the form that the server sent. */
export interface IoEvent {
  readonly path: string
  readonly file: string
  readonly kind: string
  /** Time in the server's form. */
  readonly start: string
  /** Hundreds of nanoseconds since 2020 in UTC. */
  readonly startTicks: number
  readonly durationMs: number
  readonly bytes: number
}

interface Row {
  Type: string
  Start: string
  Size?: number
  OriginalSize?: number
  Duration: number
}
interface Frame {
  Environments: { Path: string; Files: { File: string; Recent: Row[] }[] }[]
}

/** Keeps each event of what the server sent once. Knows nothing of the studio's code. */
export class IoEvents {
  readonly #events = new Map<string, IoEvent>()

  /** A frame of the live socket, or a whole document. Returns those that are new. */
  take(text: string): IoEvent[] {
    const added: IoEvent[] = []
    for (const { Path, Files } of (JSON.parse(text) as Frame).Environments)
      for (const { File, Recent } of Files)
        for (const { Type, Start, Size, OriginalSize, Duration } of Recent) {
          const bytes = OriginalSize ?? Size ?? 0
          const id = [Path, File, Type, Start, bytes, Duration].join('|')
          if (this.#events.has(id)) continue
          const event = {
            path: Path,
            file: File,
            kind: Type,
            start: Start,
            startTicks: ticksOf(Start),
            durationMs: Duration,
            bytes,
          }
          this.#events.set(id, event)
          added.push(event)
        }
    return added
  }

  get events(): readonly IoEvent[] {
    return [...this.#events.values()]
  }

  totals(): Totals {
    return totalsOfEvents(this.events)
  }

  /** The slowest event of a kind; throws while there is none. */
  slowest(kind: string): IoEvent {
    const [first] = this.events.filter((event) => event.kind === kind).toSorted((a, b) => b.durationMs - a.durationMs)
    if (first === undefined) throw new Error(`no ${kind} was received`)
    return first
  }
}

export function totalsOfEvents(events: readonly IoEvent[]): Totals {
  const totals: Totals = {}
  for (const { path, kind, bytes } of events) {
    const sums = (totals[`${path} ${kind}`] ??= { count: 0, bytes: 0 })
    sums.count++
    sums.bytes += bytes
  }
  return totals
}

/** Ticks of a time in the server's form, `2026-11-22T09:02:35.1992345Z`, which is finer than a Date. */
export function ticksOf(text: string): number {
  const [, seconds = '', fraction = ''] = /^(.{19})\.?(\d*)/.exec(text) ?? []
  return (Date.parse(`${seconds}Z`) - Date.UTC(2020, 0)) * 10_000 + Number(fraction.padEnd(7, '0'))
}
