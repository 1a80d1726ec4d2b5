import { useQuery } from '@tanstack/react-query'
import { useRef, useState, useSyncExternalStore, type ReactNode } from 'react'
import { errorText } from '../../../base/text/error-text.ts'
import { formatCount, formatDateTime, formatDuration, formatPlural } from '../../../base/text/format.ts'
import { type Ticks, ticksFromMs, type TimeRange } from '../../../base/ticks.ts'
import type { Fleet, FleetServer } from '../../../capture/archive/fleet.ts'
import { HOUR_TICKS } from '../../../capture/archive/manifest.ts'
import { openRecording, readListAgain, type Recording, recordings } from '../../../capture/archive/recordings.ts'
import { toLinkParams } from '../../../capture/client/panels.ts'
import { useCapture, useView, type View } from '../../../capture/client/view.ts'
import { StateDot } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { type TableColumn, type TableSort, VirtualTable } from '../../../ui/table/VirtualTable.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import type { FleetSpan } from '../contract.ts'
import { FLEET_COLUMNS, type FleetColumn, isSilent, sortServers, worstOf } from './fleet-rows.ts'
import styles from './archive.module.css'

/** Lengths of the ranges, hours. */
const SPANS: Readonly<Record<FleetSpan, number>> = { '1h': 1, '24h': 24, '7d': 7 * 24, '30d': 30 * 24 }
const SPAN_WORDS = [
  { value: '1h', text: 'Last hour', title: 'This hour, and the one before' },
  { value: '24h', text: '24 hours', title: 'Whole hours of the last 24' },
  { value: '7d', text: '7 days', title: 'Whole hours of the last 7 days' },
  { value: '30d', text: '30 days', title: 'Whole hours of the last 30 days' },
] as const

const isSpan = (text: string | undefined): text is FleetSpan => text !== undefined && text in SPANS

const READ_EVERY_MS = 60_000
const ROW_PX = 28

/** Servers of a database, worst first. A row opens the recording of its server at its worst moment. */
export function FleetServers({ fleet }: { readonly fleet: Fleet }): ReactNode {
  const { view, change } = useView()
  const { opening, problem, openServer } = useOpenServer(fleet)
  const [sort, setSort] = useState<TableSort<FleetColumn>>({ id: 'slowTicks', descending: true })
  const opened = useSyncExternalStore(recordings.subscribe, recordings.get)
  const linked = linkedServer(view, opened)
  const given = view.params['archive.within']
  const within = isSpan(given) ? given : '24h'
  const { data, error, dataUpdatedAt } = useQuery({
    queryKey: ['fleet', fleet.name, within],
    queryFn: ({ signal }) => fleet.servers(rangeUntilNow(SPANS[within]), signal),
    refetchInterval: READ_EVERY_MS,
    retry: false,
  })
  const now = ticksFromMs(dataUpdatedAt)
  const rows = sortServers(data ?? [], sort)
  return (
    <section className="stack" aria-label={`Servers of ${fleet.name}`}>
      <div className="row">
        <h2>
          <bdi>{fleet.name}</bdi>
        </h2>
        <Segmented
          label="Range of the list"
          options={SPAN_WORDS}
          value={within}
          onChange={(value) => change({ params: toLinkParams('archive', { within: value === '24h' ? '' : value }) })}
        />
        {opening === null ? null : <Spinner>Opening {opening}</Spinner>}
        {linked === null || opening !== null ? null : (
          <Button tone="primary" small onClick={() => openServer(linked.node, linked.range)}>
            Open {linked.node} at the time of the link
          </Button>
        )}
      </div>
      {problem === '' ? null : (
        <Notice tone="error" title="The recording could not be opened">
          {problem}
        </Notice>
      )}
      {error === null ? null : (
        <Notice tone="error" title="The servers could not be read">
          {error.message}
          {data === undefined ? '' : ' The list is as it was read last.'}
        </Notice>
      )}
      {data === undefined ? (
        error === null && <Spinner>Reading the servers</Spinner>
      ) : (
        <>
          <p role="status">{sentenceOf(data, now)}</p>
          <div className={cx('raised', styles.servers)}>
            <VirtualTable<FleetServer>
              label="Servers"
              columns={COLUMNS}
              total={rows.length}
              rowHeightPx={ROW_PX}
              fetchRows={(offset, limit) => Promise.resolve(rows.slice(offset, offset + limit))}
              renderCell={(server, id) => cellOf(server, id as FleetColumn, view.clock, now)}
              sort={sort}
              onSort={(next) => setSort(next as TableSort<FleetColumn>)}
              onRowClick={(server) => openServer(server.node, worstOf(server, sort.id, now))}
              selectedKey={view.params['archive.server'] ?? null}
              rowKey={({ node }) => node}
              version={`${String(dataUpdatedAt)} ${within}`}
            />
          </div>
          <p className={styles.legend}>
            A click opens the recording of a server at its worst moment: its longest journal write, or the hour with
            most findings or the longest gap where the list is ordered by those.
          </p>
        </>
      )}
    </section>
  )
}

interface OpenServer {
  /** Server whose manifest is being read; null: none. */
  readonly opening: string | null
  readonly problem: string
  readonly openServer: (node: string, range: TimeRange) => void
}

/** Opens hours of the recording of a server. */
function useOpenServer(fleet: Fleet): OpenServer {
  const capture = useCapture()
  const { change } = useView()
  const [opening, setOpening] = useState<string | null>(null)
  const [problem, setProblem] = useState('')
  const latest = useRef('')
  const openHours = (node: string, range: TimeRange): void => {
    latest.current = node
    setOpening(node)
    setProblem('')
    recordingOf(fleet, node)
      .then((recording) => openRecording(capture, recording, range, null))
      .catch((error: unknown) => {
        if (latest.current === node) setProblem(errorText(error))
      })
      .finally(() => {
        if (latest.current === node) setOpening(null)
      })
  }
  return {
    opening,
    problem,
    openServer: (node, next) => {
      change({ range: next, sources: [], params: toLinkParams('archive', { server: node }) }, { push: true })
      openHours(node, next)
    },
  }
}

/** Recording of a server. A known one is first read again, because it may have new hours. Errors: `Error`. */
async function recordingOf(fleet: Fleet, node: string): Promise<Recording> {
  const known = (): Recording | undefined => recordings.get().find(({ name }) => name === node)
  const opened = known()
  if (opened !== undefined) await readListAgain(opened)
  return known() ?? fleet.recording(node)
}

/** Server and time in a link, if no recording of the server is open; null: none. */
function linkedServer(
  { params, range }: Pick<View, 'params' | 'range'>,
  opened: readonly Recording[],
): { readonly node: string; readonly range: TimeRange } | null {
  const node = params['archive.server'] ?? ''
  return node === '' || range === null || opened.some(({ name }) => name === node) ? null : { node, range }
}

const rangeUntilNow = (hours: number): TimeRange => {
  const endTicks = ticksFromMs(Date.now())
  return { startTicks: (endTicks - hours * HOUR_TICKS) as Ticks, endTicks }
}

function sentenceOf(servers: readonly FleetServer[], now: Ticks): string {
  const critical = servers.filter((server) => server.critical > 0).length
  const slow = servers.filter((server) => server.slow > 0).length
  const silent = servers.filter((server) => isSilent(server, now)).length
  return `${formatPlural(servers.length, 'server')}: ${formatCount(slow)} with journal writes of 10 ms or more, ${formatCount(critical)} with critical findings, ${formatCount(silent)} of which nothing came for twenty minutes.`
}

const COLUMNS: readonly TableColumn[] = FLEET_COLUMNS.map(({ id, title, width }) =>
  id === 'node'
    ? { id, title, width, grow: 1, sortable: true, pinned: true }
    : { id, title, width, align: 'end', sortable: true },
)

function cellOf(server: FleetServer, id: FleetColumn, clock: 'local' | 'utc', now: Ticks): ReactNode {
  switch (id) {
    case 'node':
      return <bdi title={server.url}>{server.node}</bdi>
    case 'slowTicks':
    case 'slowestTicks':
    case 'gapTicks':
      return server[id] === 0 ? '–' : formatDuration(server[id])
    case 'critical':
    case 'warning':
      return server[id] === 0 ? (
        '–'
      ) : (
        <StateDot tone={id === 'critical' ? 'error' : 'warn'}>{formatCount(server[id])}</StateDot>
      )
    case 'slow':
    case 'events':
      return formatCount(server[id])
    case 'lastTicks': {
      if (server.lastTicks === null) return 'none kept'
      const at = formatDateTime(server.lastTicks, clock, 0)
      return isSilent(server, now) ? <StateDot tone="warn">{at}</StateDot> : at
    }
  }
}
