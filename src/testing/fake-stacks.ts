import type { Ticks } from '../base/brand.ts'
import { TICKS_PER_SECOND } from '../base/ticks.ts'
import { CaptureError } from '../capture/client/client.ts'
import type { ErrorInfo } from '../capture/client/state.ts'
import type { ParamsOf, RequestName, ResponseOf } from '../capture/client/requests.ts'
import type { StacksRequests } from '../features/stacks/contract.ts'
import { fakeCapture, fakeSource, type FakeCapture } from './fake-capture.ts'
import { stacksResponse, type FakeStacks } from './fake-stacks-answers.ts'
import { generateStacks, type GenerateStacksOptions } from './generated-stacks.ts'

export interface FakeStacksCapture extends FakeCapture {
  readonly stacks: FakeStacks
  /** Parts of `stacks.state` and `threads.want` that differ from now on. */
  readonly setStacks: (parts: Partial<Pick<FakeStacks, 'state' | 'live'>>) => void
}

/** The fake capture with stacks; as many captures as are asked for are there already, none is made. */
export function fakeStacks(options: Partial<GenerateStacksOptions> = {}): FakeStacksCapture {
  const base = fakeCapture()
  const stacks: FakeStacks = { captures: generateStacks(options), state: {}, live: {} }
  const first = stacks.captures[0]?.info.atTicks ?? base.data.startTicks
  const last = stacks.captures.at(-1)?.info.atTicks ?? base.data.endTicks
  base.setState({
    extent: { startTicks: first, endTicks: (last + TICKS_PER_SECOND) as Ticks },
    nowTicks: (last + TICKS_PER_SECOND) as Ticks,
    gaps: [],
    sources: [fakeSource(options.source ?? 'server')],
  })
  let failure: ErrorInfo | null = null
  return {
    ...base,
    stacks,
    setStacks: ({ state, live }) => {
      stacks.state = { ...stacks.state, ...state }
      stacks.live = { ...stacks.live, ...live }
      base.setState({})
    },
    failWith: (error) => {
      failure = error
      base.failWith(error)
    },
    request: async <Name extends RequestName>(
      name: Name,
      params: ParamsOf<Name>,
      signal?: AbortSignal,
    ): Promise<ResponseOf<Name>> => {
      if (!name.startsWith('stacks.') && !name.startsWith('threads.')) return base.request(name, params, signal)
      base.asked.push({ name, query: params })
      await new Promise((resolve) => setTimeout(resolve, 0))
      signal?.throwIfAborted()
      if (failure !== null) throw new CaptureError(failure)
      return stacksResponse(stacks, name as keyof StacksRequests, params) as ResponseOf<Name>
    },
  }
}
