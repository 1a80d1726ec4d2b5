import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react'
import type { Ticks } from '../../../../base/ticks.ts'
import { useAttention } from '../../../../ui/hooks/useAttention.ts'
import { useNow } from '../../../../ui/hooks/now.ts'
import { useSteady } from '../../../../ui/hooks/useSteady.ts'
import { useRequest } from '../../../client/requests/useRequest.ts'
import type { ErrorInfo, SourceId } from '../../../client/state.ts'
import { useCaptureState } from '../../../client/useCaptureState.ts'
import { CaptureContext } from '../../../client/view.ts'
import type { LaneReading } from '../composed.ts'
import type { LaneView } from '../lane.ts'
import { LaneReader, type LaneReaderProps } from '../LaneReader.tsx'
import { alignmentOf, type Alignment, type ReadClock } from './alignment.ts'
import type { OtherServers, ServerShare } from './other-servers.ts'
import { shiftLane, windowAt } from './shift-lane.ts'

export interface OtherLaneReaderProps extends Omit<LaneReaderProps, 'version'> {
  readonly server: string
  readonly source: SourceId | null
  readonly servers: OtherServers | null
}

const CLOCK_EVERY_MS = 60_000

interface ClockReading extends ReadClock {
  /** Whether the server has answered, even if only that its clock cannot be read. */
  readonly isRead: boolean
}

/** Clock of the server whose capture is in context, read again each minute. */
function useClock(): ClockReading {
  const { clockAheadMs, server } = useCaptureState()
  const minute = Math.floor(useNow() / CLOCK_EVERY_MS)
  const { response, error } = useRequest('host.clock', server === null ? undefined : null, {
    version: minute,
    everyMs: CLOCK_EVERY_MS / 2,
  })
  return { measured: response?.measured ?? null, aheadMs: clockAheadMs, isRead: response !== null || error !== null }
}

/** Keeps a lane of another server up to date, from that server's capture, on the axis of this page. */
export function OtherLaneReader({ servers, ...props }: OtherLaneReaderProps): ReactNode {
  const { server, lane, onReading } = props
  const own = useClock()
  const { nowTicks } = useCaptureState()
  const isServed = servers !== null && servers.own !== null
  const share = useShare(isServed ? servers : null, server)
  useEffect(() => {
    if (servers !== null && !isServed) onReading(lane, { data: null, error: notServed(server), alignment: null })
  }, [servers, isServed, server, lane, onReading])
  return share === null ? null : (
    <QueryClientProvider client={share.queries}>
      <CaptureContext value={share.capture}>
        <ReadThere {...props} share={share} own={own} nowTicks={nowTicks} />
      </CaptureContext>
    </QueryClientProvider>
  )
}

/** Holds a share while the component is mounted; null: not acquired yet, or no such server. */
function useShare(servers: OtherServers | null, server: string): ServerShare | null {
  const holder = useMemo(() => new ShareHolder(servers, server), [servers, server])
  return useSyncExternalStore(holder.subscribe, holder.get)
}

/** Acquires a share while it has a subscriber. */
class ShareHolder {
  readonly #take: () => ServerShare | null
  #held: ServerShare | null = null

  constructor(servers: OtherServers | null, server: string) {
    this.#take = () => servers?.share(server) ?? null
  }

  readonly get = (): ServerShare | null => this.#held

  readonly subscribe = (): (() => void) => {
    const share = this.#take()
    this.#held = share
    return () => {
      this.#held = null
      share?.close()
    }
  }
}

const notServed = (server: string): ErrorInfo => ({
  endpoint: server,
  status: null,
  message: `The server ${server} is not among those of this page.`,
  serverMessage: null,
  hint: 'Start the studio with both: npm start -- --server URL --server URL.',
})

interface ReadThereProps extends Omit<OtherLaneReaderProps, 'servers'> {
  readonly share: ServerShare
  readonly own: ClockReading
  /** Current time by the clock of this page's server; null: not known. */
  readonly nowTicks: Ticks | null
}

function ReadThere({ share, own, nowTicks, server, source, ...props }: ReadThereProps): ReactNode {
  const { lane, definition, view, onReading } = props
  const state = useCaptureState()
  const other = useClock()
  const [before, setBefore] = useState<Alignment | null>(null)
  const isKnown = state.server !== null && own.isRead && other.isRead
  const alignment = isKnown ? alignmentOf(own, other, before) : before
  if (alignment !== null && !isSame(alignment, before)) setBefore(alignment)
  const byTicks = alignment?.byTicks ?? null

  const isAttentive = useAttention()
  const [feed = ''] = definition.id.split('.')
  useEffect(() => {
    share.want({ sources: [source ?? 'server'], front: isAttentive ? feed : null })
  }, [share, source, feed, isAttentive])

  const [reading, setReading] = useState<Omit<LaneReading, 'alignment'>>({ data: null, error: null })
  const take = useSteady((_lane: string, next: LaneReading): void => setReading(next))
  const { gaps } = state
  // Marks are moved again when it changes, so it counts only while a gap is open.
  const untilTicks = gaps.some(({ isOpen }) => isOpen === true) ? nowTicks : null
  const data = useMemo(
    () =>
      reading.data === null || byTicks === null
        ? null
        : shiftLane({
            server,
            source: source ?? 'server',
            data: reading.data,
            gaps: gaps.filter((gap) => source === null || gap.source === source),
            byTicks,
            nowTicks: untilTicks,
          }),
    [server, source, reading.data, gaps, byTicks, untilTicks],
  )
  // Without an answer of the server, earlier data says nothing about now.
  const error = reading.error ?? state.serverError
  useEffect(() => {
    if (data !== null || error !== null) onReading(lane, { data, error, alignment })
  }, [lane, data, error, alignment, onReading])
  return (
    <LaneReader
      {...props}
      view={view === null || byTicks === null ? null : viewThere(view, source, byTicks)}
      version={state.version}
      onReading={take}
    />
  )
}

const isSame = (a: Alignment, b: Alignment | null): boolean =>
  a.byTicks === b?.byTicks && a.plusMinusMs === b.plusMinusMs

/** Actions of this page concern its own server only. */
const viewThere = (view: LaneView, source: SourceId | null, byTicks: number): LaneView => ({
  ...view,
  sources: [source ?? 'server'],
  window: windowAt(view.window, byTicks),
  markers: [],
})
