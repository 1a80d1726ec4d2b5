import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Events, Lane } from '../../features/stalls/data/lanes.ts'

/** A recording as `tools/delays/pack.mjs` writes it. */
interface Packed {
  readonly name: string
  readonly stallMs: number
  readonly volumes: readonly { readonly pathContains: string; readonly volume: string }[]
  readonly causes: readonly string[]
  readonly environments: readonly {
    readonly path: string
    readonly writes: PackedEvents
    readonly syncs: PackedEvents
    /** Absent: not packed. */
    readonly flushes?: PackedEvents
  }[]
}

interface PackedEvents {
  /** 100 ns since the start of the one before. */
  readonly start: readonly number[]
  /** 10 µs. */
  readonly duration: readonly number[]
  readonly bytes: readonly number[]
  /** How many in turn the server's rings did not and did hold at the end. */
  readonly ring: readonly number[]
  /** Row, index of its cause, ms for which it was held back. */
  readonly truth?: readonly (readonly [row: number, cause: number, heldMs: number])[]
}

const NO_EVENTS: PackedEvents = { start: [], duration: [], bytes: [], ring: [] }

/** Cause that held a write back, and for how long. */
export type Truth = Readonly<{ cause: string; heldMs: number }>

export interface Labelled {
  readonly name: string
  readonly stallMs: number
  readonly lanes: readonly Lane[]
  /** Cause of the writes of a lane that were held back, by row. */
  readonly truths: readonly ReadonlyMap<number, Truth>[]
}

const FOLDER = join(import.meta.dirname, '../recorded/stalls')

export const recordingNames = (folder = FOLDER): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json.gz'))
    .map((name) => name.slice(0, -'.json.gz'.length))
    .toSorted()

/** `isRing`: only what the server's rings of 256 events for each file and kind still held at the end. */
export function readRecording(name: string, isRing: boolean, folder = FOLDER): Labelled {
  const text = gunzipSync(readFileSync(join(folder, `${name}.json.gz`))).toString('utf8')
  const { stallMs, volumes, causes, environments } = JSON.parse(text) as Packed
  const kept = environments.map(({ path, writes, syncs, flushes = NO_EVENTS }) => {
    const own = eventsOf(writes, isRing)
    const truth = new Map<number, Truth>()
    for (const [row, cause, heldMs] of writes.truth ?? []) {
      const at = own.rows.indexOf(row)
      if (at !== -1) truth.set(at, { cause: causes[cause] as string, heldMs })
    }
    const volume = volumes.find(({ pathContains }) => path.includes(pathContains))?.volume ?? path
    const lane = {
      environment: path,
      volume,
      isVolumeKnown: true,
      writes: own.events,
      syncs: eventsOf(syncs, isRing).events,
      flushes: eventsOf(flushes, isRing).events,
    }
    return { lane, truth }
  })
  return { name, stallMs, lanes: kept.map(({ lane }) => lane), truths: kept.map(({ truth }) => truth) }
}

function eventsOf({ start, duration, bytes, ring }: PackedEvents, isRing: boolean): { rows: number[]; events: Events } {
  const held = ring.flatMap((count, i) => Array.from({ length: count }, () => i % 2 === 1))
  const rows = start.flatMap((_, row) => (!isRing || held[row] === true ? [row] : []))
  let ticks = 0
  const startMs = start.map((step) => (ticks += step) / 10_000)
  const at = (row: number): number => startMs[row] as number
  return {
    rows,
    events: {
      start: Float64Array.from(rows, at),
      end: Float64Array.from(rows, (row) => at(row) + (duration[row] as number) / 100),
      bytes: Float64Array.from(rows, (row) => bytes[row] as number),
    },
  }
}
