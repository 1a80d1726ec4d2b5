import type { ReactNode } from 'react'
import {
  formatAboutRate,
  formatBytes,
  formatCount,
  formatDateTime,
  formatDuration,
  formatTime,
  UNKNOWN,
} from '../../../base/text/format.ts'
import { ticksFromMs } from '../../../base/ticks.ts'
import { useRequest } from '../../../capture/client/requests/useRequest.ts'
import { useView } from '../../../capture/client/view.ts'
import type { PanelProps } from '../../../capture/frame/panel.ts'
import { PanelFrame } from '../../../capture/frame/PanelFrame.tsx'
import { untestedNote } from '../../../ravendb/versions.ts'
import { Badge, StateDot } from '../../../ui/Badge.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useNow } from '../../../ui/hooks/now.ts'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { RowTable, type RowColumn } from '../../../ui/table/RowTable.tsx'
import { SideScrollBox } from '../../../ui/table/SideScrollBox.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import { sparkRange } from '../../../charts/spark/spark-range.ts'
import { Sparkline } from '../../../charts/spark/Sparkline.tsx'
import type { LastHour, ServerRow } from '../contract.ts'
import { FindingsOfAll } from './FindingsOfAll.tsx'
import { hostOfServer } from '../../../base/http/stand-alone.mjs'
import { describeServers, findingsCell, stateCell } from './sentence.ts'
import { PanelSentence } from '../../../ui/PanelSentence.tsx'
import styles from './servers.module.css'

const EVERY_SECONDS = 2

/** All servers of the stand-alone server, worst first. Each row links to the studio of its server. */
export default function ServersPanel({ panel }: PanelProps): ReactNode {
  const step = Math.floor(useNow() / 1000 / EVERY_SECONDS)
  const { response, error } = useRequest('servers.list', null, { version: step, everyMs: 1000 })
  return (
    <PanelFrame panel={panel}>
      {error === null ? null : <ErrorNotice error={error} tone={response === null ? 'error' : 'warn'} />}
      {response === null ? (
        error === null ? (
          <Spinner>Requesting the list of servers</Spinner>
        ) : null
      ) : response.length === 0 ? (
        <EmptyState title="One server">
          Several are shown where the stand-alone server has several: npm start -- --server URL --server URL.
        </EmptyState>
      ) : (
        <>
          <PanelSentence>{describeServers(response)}</PanelSentence>
          <SideScrollBox label="Table of servers" className={cx('raised', styles.box)}>
            <RowTable
              className={styles.rows}
              isStacked
              caption="Servers, worst first"
              rows={response}
              keyOf={({ path }) => path}
              columns={COLUMNS}
            />
          </SideScrollBox>
          <FindingsOfAll rows={response} />
          <p className="note">
            A name opens the studio of its server. Figures are collected while this page is open, within the overhead
            limit of each server. Timeline draws lanes of several servers.
          </p>
        </>
      )}
    </PanelFrame>
  )
}

const orUnknown = (text: string | null | undefined): ReactNode =>
  text ?? (
    <span className="faint" title="not known">
      {UNKNOWN}
    </span>
  )

const percent = (value: number): string => `${formatCount(Math.round(value))} %`
const shareOf = (part: number, whole: number): string =>
  whole > 0 ? `${formatBytes(part)} (${percent((100 * part) / whole)})` : formatBytes(part)

const COLUMNS: readonly RowColumn<ServerRow>[] = [
  {
    title: 'Server',
    cell: ({ path, url, isOwn }) => (
      <span className={styles.name}>
        <a href={`${path}/studio/index.html`} aria-current={isOwn ? 'page' : undefined}>
          <bdi>{hostOfServer(url)}</bdi>
        </a>{' '}
        {isOwn ? <Badge tone="ok">this one</Badge> : null}
      </span>
    ),
    cellHint: ({ url }) => url,
  },
  {
    title: 'State',
    isWide: true,
    cell: (row) => <State row={row} />,
    cellHint: ({ why }) => (why === '' ? undefined : why),
  },
  { title: 'Findings', isWide: true, cell: (row) => <Findings row={row} /> },
  {
    title: 'Version',
    cell: ({ version }) => (
      <>
        {orUnknown(version)}
        {version === null || untestedNote(version) === null ? null : <div className="note">not tested</div>}
      </>
    ),
    cellHint: ({ version }) => (version === null ? undefined : (untestedNote(version) ?? undefined)),
  },
  { title: 'Node', cell: ({ nodeTag }) => orUnknown(nodeTag) },
  {
    title: 'CPU',
    hint: 'Of the machine',
    className: styles.figure,
    cell: ({ figures, isSaturated }) => {
      if (figures?.cpu == null) return orUnknown(null)
      const words = percent(figures.cpu.machinePercent)
      return isSaturated ? <StateDot tone="warn">{words}</StateDot> : words
    },
  },
  {
    title: 'Memory available',
    hint: 'Of the machine',
    className: styles.figure,
    cell: ({ figures }) =>
      orUnknown(figures?.memory && shareOf(figures.memory.availableBytes, figures.memory.physicalBytes)),
  },
  {
    title: 'Disk free',
    hint: 'Volume with the smallest share of free space',
    className: styles.figure,
    cell: ({ disk }) => orUnknown(disk && shareOf(disk.freeBytes, disk.totalBytes)),
    cellHint: ({ disk }) => disk?.mount,
  },
  {
    title: 'Requests',
    className: styles.figure,
    cell: ({ figures }) => {
      const perSecond = figures?.traffic?.requestsPerSecond ?? null
      return orUnknown(perSecond === null ? null : formatAboutRate(perSecond))
    },
  },
  {
    title: 'Worst stall, last hour',
    isWide: true,
    hint: 'The highest recent mean duration of requests, or the longest time without any answer, as far as this browser has watched',
    className: styles.figure,
    cell: ({ lastHour }) => (lastHour === null ? orUnknown(null) : <HourCell hour={lastHour} />),
  },
  {
    title: 'Databases',
    className: styles.figure,
    cell: ({ figures }) => orUnknown(figures?.databases && databasesOf(figures.databases)),
  },
]

function HourCell({ hour: { latency, range, worst } }: { readonly hour: LastHour }): ReactNode {
  const { clock } = useView().view
  return (
    <div className={styles.hour}>
      <Sparkline rows={latency} range={sparkRange([latency], range).range} topValue={null} />
      {worst === null ? (
        <span className="note">no requests</span>
      ) : (
        <span className="note">
          {worst.kind === 'unresponsive' ? 'unresponsive for ' : 'mean of requests '}
          <span className="unbroken">{formatDuration(worst.forTicks)}</span> at {formatTime(worst.atTicks, clock, 0)}
        </span>
      )}
    </div>
  )
}

function databasesOf({ total, disabled }: { readonly total: number; readonly disabled: number }): string {
  return disabled === 0 ? formatCount(total) : `${formatCount(total)}, ${formatCount(disabled)} disabled`
}

function State({ row }: { readonly row: ServerRow }): ReactNode {
  const { clock } = useView().view
  const { tone, words, note } = stateCell(row, (ms) =>
    ms === null ? UNKNOWN : formatDateTime(ticksFromMs(ms), clock, 0),
  )
  return (
    <div className={note === null ? undefined : styles.away}>
      <StateDot tone={tone}>{words}</StateDot>
      {note === null ? null : <span className="note">{note}</span>}
    </div>
  )
}

function Findings({ row }: { readonly row: ServerRow }): ReactNode {
  const cell = findingsCell(row)
  if (cell === null) return orUnknown(null)
  return (
    <div className={styles.away}>
      <StateDot tone={cell.tone}>{cell.words}</StateDot>
      {cell.note === null ? null : <span className="note">{cell.note}</span>}
    </div>
  )
}
