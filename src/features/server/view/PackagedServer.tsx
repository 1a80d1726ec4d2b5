import { formatPercent } from '../../../base/text/figures.ts'
import type { ReactNode } from 'react'
import {
  formatBytes,
  formatCount,
  formatDateTime,
  formatPlural,
  formatShare,
  UNKNOWN,
  type Clock,
} from '../../../base/text/format.ts'
import { useRequest } from '../../../capture/client/requests/useRequest.ts'
import { useView } from '../../../capture/client/view.ts'
import { PackageHead } from '../../../capture/frame/PackageHead.tsx'
import type { PackagedProps } from '../../../capture/frame/panel.ts'
import { PanelFrame } from '../../../capture/frame/PanelFrame.tsx'
import { PanelLink } from '../../../capture/frame/PanelLink.tsx'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { RowTable, type RowColumn } from '../../../ui/table/RowTable.tsx'
import { SideScrollBox } from '../../../ui/table/SideScrollBox.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import type { PackageNode, PackageReport } from '../../package/contract.ts'
import { PanelSentence } from '../../../ui/PanelSentence.tsx'
import styles from './server.module.css'

/** The servers of a debug package side by side, as of the time when it was created. */
export default function PackagedServer({ panel, file }: PackagedProps): ReactNode {
  const { response: report, error } = useRequest('package.report', { file }, { version: file, everyMs: 1000 })
  return (
    <PanelFrame panel={panel}>
      {error === null ? null : <ErrorNotice error={error} />}
      {report === null ? <Spinner>Reading the package</Spinner> : <Nodes report={report} />}
    </PanelFrame>
  )
}

const nameOf = ({ tag, prefix }: PackageNode): string => tag ?? (prefix === '' ? 'Server' : prefix)

function Nodes({ report }: { readonly report: PackageReport }): ReactNode {
  const { file, atTicks, nodes } = report
  const { clock } = useView().view
  return (
    <>
      <PanelSentence>{describe(nodes)}</PanelSentence>
      <PackageHead file={file} atTicks={atTicks} />
      <SideScrollBox label="Servers" className={cx('raised', styles.tableBox)}>
        <RowTable
          className={styles.nodes}
          caption="Servers of the package, side by side"
          rows={rowsOf(clock)}
          keyOf={({ title }) => title}
          columns={[
            { title: 'Figure', head: <span className="spoken">Figure</span>, cell: ({ title }) => title },
            ...nodes.map(columnOf),
          ]}
        />
      </SideScrollBox>
      <p className="note">
        What is not in the package is {UNKNOWN}: free space of disks, the licence, and everything over time. Its writes
        and batches are in <PanelLink panel="io">I/O</PanelLink>, <PanelLink panel="stalls">Stalls</PanelLink> and{' '}
        <PanelLink panel="indexing">Indexing</PanelLink>, its threads in <PanelLink panel="stacks">Stacks</PanelLink>.
      </p>
    </>
  )
}

function describe(nodes: readonly PackageNode[]): string {
  const leader = nodes.find((node) => node.leader !== null)?.leader ?? null
  const words = [
    formatPlural(nodes.length, 'server'),
    ...(leader === null ? ['no leader is known'] : [`node ${leader} leads`]),
    formatPlural(nodes[0]?.databases ?? 0, 'database'),
  ]
  return `${words.join(', ')}.`
}

interface Figure {
  readonly title: string
  /** Text of the cell. Null: the package does not contain the figure. */
  readonly cell: (node: PackageNode) => string | null
}

const columnOf = (node: PackageNode): RowColumn<Figure> => ({
  title: nameOf(node),
  head: <b>{nameOf(node)}</b>,
  cell: ({ cell }) => <bdi>{cell(node) ?? <span className="faint">{UNKNOWN}</span>}</bdi>,
})

const orNull = <Value,>(value: Value | null, format: (value: Value) => string): string | null =>
  value === null ? null : format(value)

const rowsOf = (clock: Clock): readonly Figure[] => {
  const time = (at: Parameters<typeof formatDateTime>[0]): string => formatDateTime(at, clock, 0)
  return [
    { title: 'Role', cell: ({ role }) => role },
    { title: 'Version', cell: ({ version }) => version },
    { title: 'System', cell: ({ os }) => os },
    { title: 'Address', cell: ({ url }) => url },
    { title: 'As of', cell: ({ atTicks }) => orNull(atTicks, time) },
    { title: 'Started', cell: ({ startTicks }) => orNull(startTicks, time) },
    { title: 'CPU of the machine', cell: ({ machinePercent }) => orNull(machinePercent, formatPercent) },
    { title: 'CPU of the server', cell: ({ processPercent }) => orNull(processPercent, formatPercent) },
    { title: 'Cores', cell: ({ cores }) => orNull(cores, String) },
    { title: 'Threads', cell: ({ threads }) => orNull(threads, formatCount) },
    { title: 'Memory', cell: ({ physicalBytes }) => orNull(physicalBytes, formatBytes) },
    { title: 'Memory available', cell: ({ availableBytes }) => orNull(availableBytes, formatBytes) },
    { title: 'Resident memory', cell: ({ workingSetBytes }) => orNull(workingSetBytes, formatBytes) },
    { title: 'Managed memory', cell: ({ managedBytes }) => orNull(managedBytes, formatBytes) },
    { title: 'Unmanaged memory', cell: ({ unmanagedBytes }) => orNull(unmanagedBytes, formatBytes) },
    { title: 'Time in GC pauses', cell: ({ gcPausePercent }) => orNull(gcPausePercent, formatPercent) },
    { title: 'Fragmented heap', cell: ({ fragmentedShare }) => orNull(fragmentedShare, formatShare) },
    { title: 'Connections', cell: ({ established }) => orNull(established, formatCount) },
    { title: 'Connections closing', cell: ({ timeWait }) => orNull(timeWait, formatCount) },
    { title: 'Cluster log, committed', cell: ({ commitIndex }) => orNull(commitIndex, formatCount) },
    { title: 'Term', cell: ({ term }) => orNull(term, formatCount) },
    { title: 'Databases', cell: ({ databases }) => formatCount(databases) },
    {
      title: 'Responses that failed',
      cell: ({ failed }) => formatCount(failed.length),
    },
  ]
}
