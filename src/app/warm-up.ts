import type { CssPx } from '../base/brand.ts'
import type { Handlers } from '../capture/worker/handlers.ts'
import { GapLog } from '../capture/worker/gap-log.ts'
import { Files } from '../capture/reading/files.ts'
import type { SourceId } from '../capture/client/state.ts'
import type { Governor } from '../ravendb/budget/governor.ts'
import { createFeeds } from './feeds.ts'

/** Documents that are read one after the other: the compiler looks at functions that ran some hundred times. */
const ROUNDS = 3
const ENVIRONMENTS = ['', '/Indexes/ByName', '/Indexes/ByTime']
const EVENTS = 700
const NAME = 'warm-up.json'

/** What an export of I/O metrics looks like. */
function sample(): string {
  const kinds = ['JournalWrite', 'DataFlush', 'DataSync', 'Compression']
  const event = (at: number): unknown => ({
    Start: new Date(Date.UTC(2026, 0, 1) + at * 37).toISOString().replace('Z', '1234Z'),
    Size: 4096 * (1 + (at % 9)),
    HumaneSize: '4 KBytes',
    FileSize: 33_554_432,
    HumaneFileSize: '32 MBytes',
    Duration: 0.16 + (at % 7),
    Type: kinds[at % 11 === 0 ? at % 4 : 0],
  })
  const Files = [{ File: '0.journal', Status: 'InUse', Recent: Array.from({ length: EVENTS }, (_, at) => event(at)) }]
  return JSON.stringify({ Environments: ENVIRONMENTS.map((path) => ({ Path: `/a${path}`, Type: 'Documents', Files })) })
}

/**
 * Runs the reader and the responses of a first picture once over a small document of its own, in tables that are dropped:
 * functions are compiled when they first run, which takes several times as long as reading a small file does.
 */
export async function warmUp(): Promise<void> {
  const text = sample()
  for (let round = 0; round < ROUNDS; round++) {
    const feeds = createFeeds()
    const nothing = (): void => undefined
    const files = new Files({
      feeds,
      gapLog: new GapLog(),
      changed: nothing,
      begun: nothing,
      finished: nothing,
      touched: nothing,
      now: () => Date.now(),
    })
    files.open(new File([text], NAME))
    await files.rest()
    const responses = feeds.find(({ name }) => name === 'io')?.responses
    if (responses !== undefined) await firstPicture(responses)
  }
}

async function firstPicture(responses: Partial<Handlers>): Promise<void> {
  // None of these requests has anything to do with a server.
  const none = undefined as unknown as Governor
  const { signal } = new AbortController()
  const sources = [`file:${NAME}` as SourceId]
  const scope = { sources, find: '', hiddenKinds: [] }
  const filter = { minTicks: null, maxTicks: null, minBytes: null, maxBytes: null }
  const response = await responses['io.lanes']?.({ sources, find: '', page: 0, openKinds: [] }, none, signal)
  if (response === undefined) return
  const rows = response.lanes.flatMap(({ id, kinds }) => kinds.map(({ kind }) => ({ lane: id, kind, file: null })))
  const starts = response.lanes.flatMap(({ kinds }) => kinds.map(({ firstTicks }) => firstTicks))
  const startTicks = starts.reduce((a, b) => (a < b ? a : b))
  const endTicks = response.lastTicks
  await responses['io.overview']?.({ startTicks, endTicks, rows: scope, widthPx: 1000 as CssPx }, none, signal)
  await responses['io.summary']?.({ startTicks, endTicks, rows: scope, filter, slowestLimit: 50 }, none, signal)
  const piece = { startTicks, endTicks, startPx: 0 as CssPx, endPx: 1000 as CssPx }
  await responses['io.marks']?.({ rows, pieces: [piece], filter }, none, signal)
}
