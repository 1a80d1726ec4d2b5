import { formatAgo, formatPercent } from '../../../base/text/figures.ts'
import type { ReactNode } from 'react'
import type { Ticks } from '../../../base/ticks.ts'
import {
  formatBytes,
  formatDateTime,
  formatPlural,
  formatAboutRate,
  UNKNOWN,
  type Clock,
} from '../../../base/text/format.ts'
import { PanelLink } from '../../../capture/frame/PanelLink.tsx'
import { LateError } from '../../../capture/frame/notices/LateError.tsx'
import { Badge, StateDot, type Tone } from '../../../ui/Badge.tsx'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import { PanelSentence } from '../../../ui/PanelSentence.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { RowTable, type RowColumn } from '../../../ui/table/RowTable.tsx'
import { SideScrollBox } from '../../../ui/table/SideScrollBox.tsx'
import type { ClusterResponse, ClusterNode } from '../../../feeds/server/contract/cluster.ts'
import styles from './server.module.css'
import { useCluster } from './useServerData.ts'
import { cx } from '../../../ui/theme/cx.ts'

interface ClusterViewProps {
  readonly clock: Clock
  readonly nowTicks: Ticks | null
}

/** The nodes side by side: their roles, and the figures of each node as far as they are available. */
export function ClusterView({ clock, nowTicks }: ClusterViewProps): ReactNode {
  const { response, error } = useCluster()
  if (response === null)
    return error === null ? <Spinner>Requesting the topology</Spinner> : <ErrorNotice error={error} />
  return (
    <div className={styles.part}>
      <LateError error={error} />
      <div className={cx('wrap', styles.top)}>
        <PanelSentence lines={[1, 3]} isBeside>
          {describeCluster(response)}
        </PanelSentence>
        <PanelLink panel="cluster-log">Cluster log</PanelLink>
      </div>
      {response.nodes.length === 0 ? null : (
        <SideScrollBox label="Nodes" className={cx('raised', styles.tableBox)}>
          <RowTable
            className={styles.nodes}
            caption="Nodes of the cluster, side by side"
            rows={rowsOf(clock, nowTicks)}
            keyOf={({ title }) => title}
            columns={[
              {
                title: 'Figure',
                head: <span className="spoken">Figure</span>,
                cell: ({ title }) => title,
              },
              ...response.nodes.map((node): RowColumn<Figure> => ({
                title: node.tag,
                head: (
                  <span className={cx('inline', styles.nodeHead)}>
                    <b>{node.tag}</b>
                    {node.isOwn ? <Badge tone="ok">this one</Badge> : null}
                  </span>
                ),
                cell: ({ cell }) => cell(node),
              })),
            ]}
          />
        </SideScrollBox>
      )}
      <ul className={styles.messages}>
        {response.nodes
          .filter((node) => node.message !== '' || node.connectionError !== null)
          .map((node) => (
            <li key={node.tag}>
              <b>Node {node.tag}</b>: {node.message}{' '}
              {node.connectionError === null ? '' : `The leader reports: ${node.connectionError}`}
            </li>
          ))}
      </ul>
    </div>
  )
}

/** `3 nodes, term 12, node A leads.` */
export function describeCluster(cluster: ClusterResponse): string {
  if (cluster.nodes.length === 0 || cluster.ownTag === '?')
    return 'This server is of no cluster yet: it becomes one of its own with its first database.'
  const { leader, term, lastChange } = cluster
  const parts = [
    formatPlural(cluster.nodes.length, 'node'),
    leader === null ? 'no leader is known' : `node ${leader} leads`,
    term === null ? null : `term ${String(term)}`,
  ].filter((part) => part !== null)
  const sentence = `${parts.join(', ')}.`
  return lastChange === null || lastChange === '' ? sentence : `${sentence} Last change: ${lastChange}.`
}

const orDash = <T,>(value: T | null, format: (value: T) => ReactNode): ReactNode =>
  value === null ? (
    <span className="faint" title="not known">
      {UNKNOWN}
    </span>
  ) : (
    format(value)
  )

const FIGURES: Record<ClusterNode['figures'], readonly [Tone, string]> = {
  arriving: ['ok', 'arriving'],
  connecting: ['busy', 'connecting'],
  unreachable: ['idle', 'cannot be had'],
}

interface Figure {
  readonly title: string
  readonly cell: (node: ClusterNode) => ReactNode
}

const rowsOf = (clock: Clock, nowTicks: Ticks | null): readonly Figure[] => [
  {
    title: 'Role',
    cell: (node) =>
      `${node.type === 'unknown' ? 'type not known' : node.type}${node.state === null ? '' : `, ${node.state.toLowerCase()}`}`,
  },
  {
    title: 'Connection',
    cell: (node) =>
      node.isOwn
        ? 'direct'
        : orDash(node.connected, (connected) => (
            <StateDot tone={connected ? 'ok' : 'error'}>{connected ? 'connected' : 'not connected'}</StateDot>
          )),
  },
  {
    title: 'Its figures',
    cell: (node) => <StateDot tone={FIGURES[node.figures][0]}>{FIGURES[node.figures][1]}</StateDot>,
  },
  { title: 'CPU of the machine', cell: (node) => orDash(node.cpuMachinePercent, formatPercent) },
  { title: 'CPU of the server', cell: (node) => orDash(node.cpuProcessPercent, formatPercent) },
  { title: 'Resident memory', cell: (node) => orDash(node.residentBytes, formatBytes) },
  { title: 'Memory available', cell: (node) => orDash(node.availableBytes, formatBytes) },
  { title: 'Requests', cell: (node) => orDash(node.requestsPerSecond, formatAboutRate) },
  { title: 'Cores', cell: (node) => orDash(node.cores, String) },
  { title: 'Memory', cell: (node) => orDash(node.memoryBytes, formatBytes) },
  { title: 'Version', cell: (node) => orDash(node.serverVersion, (version) => version) },
  { title: 'System', cell: (node) => orDash(node.os, (os) => os) },
  { title: 'Started', cell: (node) => orDash(node.startTicks, (at) => formatDateTime(at, clock, 0)) },
  { title: 'Last seen', cell: (node) => orDash(node.receivedTicks, (at) => `${formatAgo(at, nowTicks)} ago`) },
  { title: 'Address', cell: (node) => <bdi>{node.url}</bdi> },
]
