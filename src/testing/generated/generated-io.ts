import type { Bytes } from '../../base/brand.ts'
import { groupBy } from '../../base/columns/group-by.ts'
import { parseTicks, type Ticks, TICKS_PER_MS, TICKS_PER_SECOND, type TickSpan } from '../../base/ticks.ts'
import type { Gap, SourceId } from '../../capture/client/state.ts'
import type { IoEventRow } from '../../feeds/io/contract/rows.ts'
import type { IoFileInfo, IoLane } from '../../feeds/io/contract/lanes.ts'
import { seededRandom } from '../../base/random.ts'

export interface FakeEvent extends IoEventRow {
  readonly fileId: number
}

export interface FakeRollUp {
  readonly lane: string
  readonly kind: string
  readonly fileId: number
  readonly startTicks: number
  readonly endTicks: number
  readonly sizeBytes: number
  readonly busyTicks: number
  readonly minTicks: number
  readonly maxTicks: number
}

export interface GeneratedIo {
  readonly lanes: readonly IoLane[]
  /** Sorted by start. */
  readonly events: readonly FakeEvent[]
  readonly rollUps: readonly FakeRollUp[]
  readonly gaps: readonly Gap[]
  readonly startTicks: Ticks
  readonly endTicks: Ticks
}

export interface GenerateOptions {
  readonly seed: number
  readonly databases: readonly string[]
  readonly indexes: number
  readonly seconds: number
  /** Adds a kind that the studio does not know. */
  readonly unknownKind: boolean
}

export const FAKE_START = parseTicks('2026-11-20T02:12:30.0000000Z')

export const INDEX_NAMES = [
  'Users/ByName',
  'Users/ByCity',
  'Users/Search',
  'Orders/Totals',
  'Orders/FanOut',
  'Places/Near',
  'Heartrates/ByDay',
  'Users/Script',
]

/**
 * I/O like that of a server under load: bursts of journal writes every few milliseconds, now and then a flush and
 * after it a sync, rare outliers, idle pauses, older history as roll-ups, and a gap where no page watched.
 */
export function generateIo(options: GenerateOptions): GeneratedIo {
  const next = seededRandom(options.seed)
  const endTicks = (FAKE_START + options.seconds * TICKS_PER_SECOND) as Ticks
  const events: FakeEvent[] = []
  const rollUps: FakeRollUp[] = []
  const plans: { source: SourceId; path: string; type: string; label: string; weight: number }[] = []
  for (const name of options.databases) {
    const root = `/var/lib/ravendb/data/Databases/${name}`
    plans.push({ source: `db:${name}`, path: root, type: 'Documents', label: 'Documents', weight: 1 })
    for (let i = 0; i < options.indexes; i++) {
      const label = i < INDEX_NAMES.length ? (INDEX_NAMES[i] ?? '') : `Generated/Index${i}`
      plans.push({
        source: `db:${name}`,
        path: `${root}/Indexes/${label.replaceAll('/', '_')}`,
        type: 'Index',
        label,
        weight: 0.5 / (1 + (i % 8)),
      })
    }
    plans.push({
      source: `db:${name}`,
      path: `${root}/Configuration`,
      type: 'Configuration',
      label: 'Configuration',
      weight: 0.01,
    })
  }
  plans.push({ source: 'server', path: '/var/lib/ravendb/data/System', type: 'System', label: 'System', weight: 0.02 })

  const lognormal = (median: number, spread: number): number =>
    median * Math.exp(spread * (next() + next() + next() - 1.5) * 1.6)
  const lanes = plans.map((plan): IoLane => {
    const lane = `${plan.source}|${plan.path}`
    const add = (
      kind: string,
      startTicks: number,
      durationTicks: number,
      sizeBytes: number,
      fileId: number,
      file: string,
    ): void => {
      if (startTicks >= endTicks) return
      events.push({
        lane,
        kind,
        startTicks: Math.round(startTicks) as Ticks,
        durationTicks: Math.max(1, Math.round(durationTicks)) as TickSpan,
        sizeBytes: Math.max(4096, Math.round(sizeBytes / 4096) * 4096) as Bytes,
        fileId,
        file,
        laneLabel: plan.label,
        source: plan.source,
      })
    }
    let at = FAKE_START + next() * TICKS_PER_SECOND
    let journal = 5
    let untilFlush = 80
    while (at < endTicks) {
      // Busy in the first two thirds of every 30 s; the rest is idle for all lanes alike.
      const phase = ((at - FAKE_START) / TICKS_PER_SECOND) % 30
      if (phase > 20) {
        at += (30 - phase) * TICKS_PER_SECOND + next() * 2 * TICKS_PER_MS
        continue
      }
      const journalFile = `00000000000000000${String(journal).padStart(2, '0')}.journal`
      const size = lognormal(60_000 * (0.3 + plan.weight), 1.2)
      if (size > 180_000) add('Compression', at - size * 0.08, size * 0.07, size * 2.6, journal, journalFile)
      const outlier = next() < 0.0006
      add(
        'JournalWrite',
        at,
        outlier ? lognormal(160 * TICKS_PER_MS, 0.6) : lognormal(0.35 * TICKS_PER_MS, 0.9) + size * 0.02,
        size,
        journal,
        journalFile,
      )
      if (--untilFlush <= 0) {
        untilFlush = 60 + Math.floor(next() * 60)
        if (next() < 0.3) journal++
        const flushed = lognormal(6_000_000, 0.8)
        const flush = lognormal(22 * TICKS_PER_MS, 0.7)
        add('DataFlush', at + TICKS_PER_MS, flush, flushed, 1, 'Raven.voron')
        if (next() < 0.5)
          add(
            'DataSync',
            at + TICKS_PER_MS + flush,
            lognormal(next() < 0.12 ? 420 * TICKS_PER_MS : 48 * TICKS_PER_MS, 0.5),
            flushed * 1.4,
            1,
            'Raven.voron',
          )
        if (options.unknownKind && next() < 0.5)
          add('PageEvict', at + 3 * TICKS_PER_MS, lognormal(4 * TICKS_PER_MS, 0.5), 300_000, 1, 'Raven.voron')
      }
      at += lognormal((18 * TICKS_PER_MS) / (0.05 + plan.weight), 0.9)
    }
    for (const kind of ['JournalWrite', 'DataFlush']) {
      for (let band = 0; band < 3 && plan.weight > 0.03; band++) {
        const start = FAKE_START - (3 - band) * 18 * TICKS_PER_SECOND
        rollUps.push({
          lane,
          kind,
          fileId: 1,
          startTicks: start,
          endTicks: start + (8 + next() * 9) * TICKS_PER_SECOND,
          sizeBytes: Math.round(lognormal(30_000_000, 0.7)),
          busyTicks: lognormal(900 * TICKS_PER_MS, 0.6),
          minTicks: 2_100,
          maxTicks: Math.round(lognormal(60 * TICKS_PER_MS, 0.9)),
        })
      }
    }
    return {
      id: lane,
      source: plan.source,
      path: plan.path,
      type: plan.type,
      label: plan.label,
      labelIsReal: true,
      kinds: [],
      files: [],
      filesLeft: {},
    }
  })

  const gapStart = FAKE_START + options.seconds * 0.55 * TICKS_PER_SECOND
  const gapEnd = gapStart + options.seconds * 0.06 * TICKS_PER_SECOND
  const [first] = options.databases
  const gaps: Gap[] =
    first === undefined
      ? []
      : [
          {
            id: 1,
            source: `db:${first}`,
            lane: null,
            kind: null,
            reason: 'socket-closed',
            startTicks: gapStart as Ticks,
            endTicks: gapEnd as Ticks,
            missingCount: null,
            missingBytes: null,
            detail: 'The socket closed with code 1006 and was opened again.',
          },
          {
            id: 2,
            source: `db:${first}`,
            lane: lanes[1]?.id ?? null,
            kind: 'JournalWrite',
            reason: 'ring-lapped',
            startTicks: (gapEnd + 40 * TICKS_PER_SECOND) as Ticks,
            endTicks: (gapEnd + 43 * TICKS_PER_SECOND) as Ticks,
            missingCount: 512,
            missingBytes: null,
            detail: 'The server wrote more than its 256 slots between two messages.',
          },
        ]
  const inGap = (event: FakeEvent): boolean =>
    gaps.some(
      (gap) =>
        gap.source === event.source &&
        (gap.lane === null || gap.lane === event.lane) &&
        (gap.kind === null || gap.kind === event.kind) &&
        event.startTicks >= gap.startTicks &&
        event.startTicks < gap.endTicks,
    )
  const seen = events.filter((event) => !inGap(event)).toSorted((a, b) => a.startTicks - b.startTicks)
  const eventsOf = new Map(groupBy(seen, ({ lane }) => lane))
  const bandsOf = new Map(groupBy(rollUps, ({ lane }) => lane))
  return {
    lanes: lanes.map((lane) => withTotals(lane, eventsOf.get(lane.id) ?? [], bandsOf.get(lane.id) ?? [])),
    events: seen,
    rollUps,
    gaps,
    startTicks: FAKE_START,
    endTicks,
  }
}

function withTotals(lane: IoLane, own: readonly FakeEvent[], bands: readonly FakeRollUp[]): IoLane {
  const kinds = [...new Set([...own, ...bands].map(({ kind }) => kind))].map((kind) => {
    const rows = own.filter((event) => event.kind === kind)
    const ofKind = bands.filter((band) => band.kind === kind)
    return {
      kind,
      known: kind !== 'PageEvict',
      count: rows.length,
      bytes: sum(rows, (row) => row.sizeBytes) as Bytes,
      busyTicks: sum(rows, (row) => row.durationTicks) as TickSpan,
      slowestTicks: Math.max(0, ...rows.map((row) => row.durationTicks)) as TickSpan,
      firstTicks: (rows[0]?.startTicks ?? Number.NaN) as Ticks,
      lastTicks: (rows.at(-1)?.startTicks ?? Number.NaN) as Ticks,
      rollUps: ofKind.length,
      rollUpEvents: null,
      rollUpBytes: sum(ofKind, (band) => band.sizeBytes) as Bytes,
      rollUpBusyTicks: sum(ofKind, (band) => band.busyTicks) as TickSpan,
    }
  })
  const files = [...new Map(own.map((event) => [event.file, event.fileId]))].map(([name, id]): IoFileInfo => {
    const rows = own.filter((event) => event.file === name)
    return {
      id,
      name,
      status: 'InUse',
      sizeBytes: 33_554_432 as Bytes,
      kinds: [...new Set(rows.map((row) => row.kind))],
      firstTicks: (rows[0]?.startTicks ?? 0) as Ticks,
      lastTicks: (rows.at(-1)?.startTicks ?? 0) as Ticks,
    }
  })
  return { ...lane, kinds, files }
}

const sum = <T>(items: readonly T[], value: (item: T) => number): number =>
  items.reduce((total, item) => total + value(item), 0)
