import { groupBy } from '../base/columns/group-by.ts'
import { JsonBytes } from '../base/json/json-bytes.ts'
import { JsonWalk } from '../base/json/json-walk.ts'
import { formatTicks, type Ticks } from '../base/ticks.ts'
import type { ParamsOf, RequestName, ResponseOf } from '../capture/client/requests/requests.ts'
import type { SourceId } from '../capture/client/state.ts'
import type { Feed, FileReader, LaterPart } from '../capture/worker/feed.ts'
import { GapLog } from '../capture/worker/gap-log.ts'
import { LaterParts } from '../capture/worker/later.ts'
import { Governor } from '../ravendb/governor/governor.ts'
import { IoFeed } from '../feeds/io/data/feed.ts'
import { FakeRaven } from './fake-raven.ts'
import type { FakeEvent, FakeRollUp, GeneratedIo } from './generated/generated-io.ts'

/** Reads a document of the server into a feed, as the worker reads a file. */
export function readInto(feed: FileReader, source: SourceId, text: string): void {
  const fail = (at: number, expected: string): never => {
    throw new Error(`byte ${at}: expected ${expected}`)
  }
  const json = new JsonBytes()
  const reader = feed.reader(source, new GapLog(), fail, new Set(), () => undefined)
  const walk = new JsonWalk(json, reader.rule, fail)
  json.feed(new TextEncoder().encode(text))
  json.isLast = true
  walk.run()
}

/** The I/O feed with generated rows, read from `debug/io-metrics` as the server would write it. */
export function filledIo(data: GeneratedIo): IoFeed {
  const labels = (source: SourceId): readonly string[] =>
    data.lanes.filter((lane) => lane.source === source && lane.type === 'Index').map(({ label }) => label)
  const names = new Map(data.lanes.map(({ source }) => [source, labels(source)]))
  const feed = new IoFeed((source) => names.get(source) ?? [])
  for (const source of names.keys()) fillIo(feed, data, source)
  return feed
}

/** Adds the rows of one source, as those of `as`. */
export function fillIo(feed: IoFeed, data: GeneratedIo, source: SourceId, as = source): void {
  const known = documents.get(data) ?? new Map<SourceId, string>()
  documents.set(data, known)
  const text = known.get(source) ?? documentOf(data, source)
  known.set(source, text)
  readInto(feed, as, text)
}

/** Documents that were written for tests before. */
const documents = new WeakMap<GeneratedIo, Map<SourceId, string>>()

function documentOf(data: GeneratedIo, source: SourceId): string {
  const eventsOf = new Map(groupBy(data.events, ({ lane }) => lane))
  const environments = data.lanes
    .filter((lane) => lane.source === source)
    .map((lane) => {
      const events = eventsOf.get(lane.id) ?? []
      const rollUps = data.rollUps.filter((band) => band.lane === lane.id)
      const files = new Set([...events.map(({ file }) => file), ...(rollUps.length === 0 ? [] : [DATA_FILE])])
      return {
        Path: lane.path,
        Type: lane.type,
        Files: Array.from(files, (file) => ({
          File: file,
          Status: 'InUse',
          Recent: events.filter((event) => event.file === file).map(wireEvent),
          History: file === DATA_FILE ? rollUps.map(wireRollUp) : [],
        })),
      }
    })
  return JSON.stringify({ Environments: environments })
}

const DATA_FILE = 'Raven.voron'
const FILE_BYTES = 33_554_432
const ticksText = (ticks: number): string => formatTicks(Math.round(ticks) as Ticks)

const wireEvent = ({ kind, startTicks, durationTicks, sizeBytes }: FakeEvent): object => ({
  Start: ticksText(startTicks),
  ...(kind === 'Compression'
    ? { OriginalSize: sizeBytes, CompressedSize: Math.round(sizeBytes * 0.4), Acceleration: 3 }
    : { Size: sizeBytes }),
  FileSize: FILE_BYTES,
  Duration: durationTicks / 10_000,
  Type: kind,
})

const wireRollUp = (band: FakeRollUp): object => ({
  Start: ticksText(band.startTicks),
  End: ticksText(band.endTicks),
  Size: band.sizeBytes,
  ActiveDuration: Math.round(band.busyTicks) / 10_000,
  MaxDuration: band.maxTicks / 10_000,
  MinDuration: band.minTicks / 10_000,
  Type: band.kind,
})

/** Requests to real feeds; what of them is loaded later is made once, as in the worker. */
export function requestsOf(feeds: readonly Feed[], governor: Governor = new Governor(new FakeRaven().env)) {
  const later = new LaterParts(feeds)
  return async <Name extends RequestName>(
    name: Name,
    params: ParamsOf<Name>,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<ResponseOf<Name>> => {
    const find = (parts: readonly LaterPart[]) => parts.map(({ responses }) => responses[name]).find(isDefined)
    const handle = find(feeds) ?? find(await later.get())
    if (handle === undefined) throw new Error(`No feed responds to ${name}.`)
    return handle(params, governor, signal)
  }
}

const isDefined = <T>(value: T | undefined): value is T => value !== undefined
