import { formatTicks, type Ticks, TICKS_PER_SECOND } from '../base/ticks.ts'
import type { ParamsOf, RequestName, ResponseOf } from '../capture/client/requests/requests.ts'
import { StacksFeed } from '../feeds/stacks/data/feed.ts'
import type { LiveState } from '../feeds/stacks/contract/live.ts'
import type { StacksState } from '../feeds/stacks/contract/snapshots.ts'
import { Governor } from '../ravendb/governor/governor.ts'
import { fakeCapture, fakeSource, type FakeCapture } from './fake-capture.ts'
import { FakeRaven, settle } from './fake-raven.ts'
import { readInto } from './filled-feeds.ts'
import {
  generateStacks,
  stackTraceJson,
  threadRows,
  type FakeStackSnapshot,
  type GenerateStacksOptions,
} from './generated/generated-stacks.ts'

export interface FakeStacksClient extends FakeCapture {
  readonly stacks: { readonly snapshots: readonly FakeStackSnapshot[] }
  /** Parts of `stacks.state` and `threads.want` that differ from now on. */
  readonly setStacks: (parts: { state?: Partial<StacksState>; live?: Partial<LiveState> }) => void
}

/** Live lists, one a second, around the first snapshot. */
const LIVE_LISTS = 30

/** The stacks feed with generated snapshots, read as the server would write them. */
export function filledStacks(
  snapshots: readonly FakeStackSnapshot[],
  feed = new StacksFeed({ tabs: null }),
): StacksFeed {
  for (const snapshot of snapshots) readInto(feed, snapshot.info.source, stackTraceJson(snapshot))
  return feed
}

interface Taken {
  readonly snapshots: readonly FakeStackSnapshot[]
  readonly feed: StacksFeed
  readonly governor: Governor
}

/** Tests share feeds that hold snapshots and live lists: nothing is taken afterwards. */
const taken = new Map<string, Promise<Taken>>()

async function take(options: Partial<GenerateStacksOptions>): Promise<Taken> {
  const snapshots = generateStacks(options)
  const raven = new FakeRaven()
  const governor = new Governor(raven.env)
  let listTicks = 0
  const feed = filledStacks(
    snapshots,
    new StacksFeed({
      tabs: null,
      machineCpu: { want: () => undefined, newest: () => ({ atTicks: listTicks, percent: 71, cores: 8 }) },
    }),
  )
  if ((options.source ?? 'server') === 'server') {
    feed.responses['threads.want'](null, governor)
    for (let i = 0; i < 20 && raven.sockets.length === 0; i++) await settle()
    raven.lastSocket.accept()
    const firstTicks = snapshots[0]?.info.atTicks ?? fakeCapture().data.startTicks
    const [model] = snapshots.length === 0 ? generateStacks({ ...options, snapshots: 1 }) : snapshots
    for (let at = 0; at <= LIVE_LISTS; at++) {
      listTicks = firstTicks + (at - LIVE_LISTS / 2) * TICKS_PER_SECOND
      raven.lastSocket.frame(
        JSON.stringify({
          Date: formatTicks(listTicks as Ticks),
          ProcessCpuUsage: 64,
          ActiveCores: 8,
          ThreadsCount: 60,
          DedicatedThreadsCount: 12,
          List: threadRows(model!),
        }),
      )
    }
  }
  return { snapshots, feed, governor }
}

/** Fake capture with stacks and live lists of threads; all snapshots that the options order are there already. */
export async function fakeStacks(options: Partial<GenerateStacksOptions> = {}): Promise<FakeStacksClient> {
  const key = JSON.stringify(options)
  const once = taken.get(key) ?? take(options)
  taken.set(key, once)
  const { snapshots, feed, governor } = await once
  const base = fakeCapture({}, [feed], governor)
  const first = snapshots[0]?.info.atTicks ?? base.data.startTicks
  const last = snapshots.at(-1)?.info.atTicks ?? base.data.endTicks
  base.setState({
    extent: { startTicks: first, endTicks: (last + TICKS_PER_SECOND) as Ticks },
    nowTicks: (last + TICKS_PER_SECOND) as Ticks,
    gaps: [],
    sources: [fakeSource(options.source ?? 'server')],
  })
  const set: { state: Partial<StacksState>; live: Partial<LiveState> } = {
    state: { lastCost: snapshots.at(-1)?.info.cost ?? null },
    live: {},
  }
  return {
    ...base,
    stacks: { snapshots },
    setStacks: ({ state, live }) => {
      set.state = { ...set.state, ...state }
      set.live = { ...set.live, ...live }
      base.setState({})
    },
    request: async <Name extends RequestName>(
      name: Name,
      params: ParamsOf<Name>,
      signal?: AbortSignal,
    ): Promise<ResponseOf<Name>> => {
      // Nothing is taken: what a test wants of a snapshot that goes on, it sets.
      const isCommand = name === 'stacks.snapshot' || name === 'stacks.series' || name === 'stacks.stop'
      if (isCommand) base.requested.push({ name, query: params })
      const response = await base.request(isCommand ? 'stacks.state' : name, params as never, signal)
      const parts = name === 'stacks.state' ? set.state : name === 'threads.want' ? set.live : null
      return (parts === null ? response : { ...(response as object), ...parts }) as ResponseOf<Name>
    },
  }
}
