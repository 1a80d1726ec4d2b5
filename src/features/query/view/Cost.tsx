import { useState, type ReactNode } from 'react'
import { formatBytes, formatCount, formatDuration, formatPlural } from '../../../base/text/format.ts'
import { addSpan, spanFromMs, type TimeRange } from '../../../base/ticks.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import { useCollected } from '../../../capture/client/use-collected.ts'
import { useServerTicks } from '../../../capture/client/server-ticks.ts'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useRequest } from '../../../capture/client/requests/useRequest.ts'
import { useWanted } from '../../../capture/client/requests/useWanted.ts'
import { PanelLink } from '../../../capture/frame/PanelLink.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { useNow } from '../../../ui/hooks/now.ts'
import { RowTable } from '../../../ui/table/RowTable.tsx'
import { CostThreads } from './CostThreads.tsx'
import { READ_FOR_MS } from './read-for.ts'
import type { CostShown } from './useThreadWatch.ts'
import type {} from '../../../feeds/indexing/contract.ts'
import type {} from '../../../feeds/io/contract.ts'

/** Start and end of a query, wall clock of this browser, ms. */
export interface RunTimes {
  readonly startedMs: number
  readonly endedMs: number
}

/** Time shown before and after the query, ms. */
const AROUND_MS = 1000
const NO_DURATIONS = { minTicks: null, maxTicks: null } as const

interface CostProps {
  readonly database: string
  readonly times: RunTimes
  readonly shown: CostShown
  readonly onShow: (shown: CostShown) => void
}

/** Server activity during a query: I/O and index batches of its database, with links to all of it. */
export function Cost({ database, times, shown, onShow }: CostProps): ReactNode {
  const ticks = useServerTicks()
  const { source, isCollected, collect } = useCollected(database)
  const startTicks = addSpan(ticks(times.startedMs), spanFromMs(-AROUND_MS))
  const range: TimeRange = { startTicks, endTicks: addSpan(ticks(times.endedMs), spanFromMs(AROUND_MS)) }
  return (
    <section className="stack" aria-label="What it cost">
      <div className="row">
        <h3>What the server did in these seconds</h3>
        <span className="push" />
        <PanelLink panel="timeline" parts={{ sources: [source], range }}>
          Timeline of these seconds
        </PanelLink>
      </div>
      {isCollected ? (
        <CostFigures source={source} range={range} endedMs={times.endedMs} />
      ) : (
        <p className="note">
          I/O and index batches of {database} are not collected.{' '}
          <Button small onClick={collect}>
            Collect them
          </Button>
        </p>
      )}
      {shown === 'threads' ? (
        <CostThreads range={range} endedMs={times.endedMs} />
      ) : (
        <p className="note">
          CPU of threads is not watched: the list of threads costs a socket, 2 to 4 MB a minute.{' '}
          <Button small onClick={() => onShow('threads')}>
            Watch threads
          </Button>
        </p>
      )}
    </section>
  )
}

interface CostFiguresProps {
  readonly source: SourceId
  readonly range: TimeRange
  readonly endedMs: number
}

interface Figure {
  readonly what: string
  readonly count: string
  readonly took: string
  readonly size: string
}

const NOTHING: readonly never[] = []

function CostFigures({ source, range, endedMs }: CostFiguresProps): ReactNode {
  const sources = [source]
  const { nowTicks } = useCaptureState()
  useWanted('indexing.want', { sources, budgets: false })
  // Index batches of the query may be collected only from here on, long after its end.
  const [shownMs] = useState(() => Date.now())
  const version = Math.floor(Math.min(useNow(), Math.max(shownMs, endedMs) + READ_FOR_MS) / 1000)
  const renewal = { version, everyMs: 1000 }
  const io = useRequest(
    'io.summary',
    {
      ...range,
      rows: { sources, find: '', hiddenKinds: NOTHING },
      filter: { ...NO_DURATIONS, minBytes: null, maxBytes: null },
      slowestLimit: 0,
    },
    renewal,
  ).response
  const indexes = useRequest('indexing.indexes', { sources }, renewal).response
  const batches = useRequest(
    'indexing.summary',
    indexes === null
      ? undefined
      : {
          ...range,
          indexes: indexes.indexes.map(({ key }) => key),
          filter: { ...NO_DURATIONS, minDocuments: null, reason: null, hideEmpty: true },
          largestLimit: 0,
        },
    renewal,
  ).response
  const rows: Figure[] = [
    ...(io?.kinds ?? NOTHING)
      .filter(({ count, rollUps }) => count + rollUps > 0)
      .map(({ kind, count, bytes, busyTicks, rollUps }) => ({
        what: kind,
        count: `${formatCount(count)}${rollUps === 0 ? '' : ' and more'}`,
        took: formatDuration(busyTicks),
        size: formatBytes(bytes),
      })),
    ...(batches === null || batches.total.counts.batches === 0
      ? NOTHING
      : [
          {
            what: 'Index batches',
            count: formatCount(batches.total.counts.batches),
            took: formatDuration(batches.total.busyTicks),
            size: `${formatPlural(batches.total.documentsIn, 'document')} read`,
          },
        ]),
  ]
  const isAwaited = io === null || batches === null || (indexes?.awaited.length ?? 0) > 0
  const isEarly = isAwaited || nowTicks === null || nowTicks < range.endTicks
  return (
    <>
      <p className="note" role="status">
        {isEarly ? 'The server reports every few seconds: these are not all here yet. ' : ''}
        {rows.length === 0
          ? 'No I/O and no index batch was seen from a second before to a second after.'
          : 'From a second before to a second after, by whatever client. A query itself writes nothing.'}
      </p>
      {rows.length === 0 ? null : (
        <RowTable<Figure>
          label="I/O and index batches"
          rows={rows}
          keyOf={({ what }) => what}
          columns={[
            { title: 'What', cell: ({ what }) => what },
            { title: 'Count', isFigure: true, cell: ({ count }) => count },
            { title: 'Took', isFigure: true, cell: ({ took }) => took },
            { title: 'Amount', cell: ({ size }) => size },
          ]}
        />
      )}
    </>
  )
}
