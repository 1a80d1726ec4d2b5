import { useMemo, useState, type ReactNode } from 'react'
import type { Ticks } from '../../../base/ticks.ts'
import { formatCount, formatDateTime, formatPlural, type Clock } from '../../../base/text/format.ts'
import { EmptyView } from '../../../capture/frame/EmptyView.tsx'
import type { PanelProps } from '../../../capture/frame/panel.ts'
import { PanelFrame } from '../../../capture/frame/PanelFrame.tsx'
import { RangeToolbar } from '../../../capture/frame/range/RangeToolbar.tsx'
import { useMoving, useViewport } from '../../../capture/frame/range/useViewport.ts'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useRequest } from '../../../capture/client/requests/useRequest.ts'
import { useView } from '../../../capture/client/view.ts'
import { NO_FOLDS } from '../../../charts/scale.ts'
import { useCanvasTokens } from '../../../charts/canvas/tokens.ts'
import { LaneTimeline } from '../../../charts/timeline/LaneTimeline.tsx'
import { useLanes } from '../../../charts/timeline/lanes/useLanes.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { FactLines, type FactLine } from '../../../ui/FactLines.tsx'
import { useNow } from '../../../ui/hooks/now.ts'
import { LaneName, NameFigure } from '../../../ui/lanes/LaneName.tsx'
import { ErrorNotice, Notice } from '../../../ui/Notice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { VirtualTable, type TableColumn } from '../../../ui/table/VirtualTable.tsx'
import type { ClusterLog } from '../contract.ts'
import { COMMAND_LANES, layoutKinds, type CommandPicture } from './lanes.ts'
import { PanelSentence } from '../../../ui/PanelSentence.tsx'
import card from '../../../ui/card.module.css'
import styles from '../../../ui/panel.module.css'
import { cx } from '../../../ui/theme/cx.ts'

const EVERY_SECONDS = 5
const ASSUMED_WIDTH_PX = 900
const AXIS_AND_BORDER_PX = 38

/** Changes of the cluster: a lane for each kind of command, with a table twin. */
export default function ClusterLogPanel({ panel }: PanelProps): ReactNode {
  const step = Math.floor(useNow() / 1000 / EVERY_SECONDS)
  const { response, error: noneYet } = useRequest('clusterLog.read', null, { version: step, everyMs: 1000 })
  const error = noneYet ?? response?.failure ?? null
  return (
    <PanelFrame panel={panel}>
      {error === null ? null : <ErrorNotice error={error} tone={response === null ? 'error' : 'warn'} />}
      {response === null ? (
        error === null ? (
          <Spinner>Reading the cluster log …</Spinner>
        ) : null
      ) : response.commands.length === 0 ? (
        <EmptyState title="No cluster log yet">
          {response.role === 'Passive'
            ? 'The server is not part of a cluster. Its log begins with its first database.'
            : 'The server reports no command.'}
        </EmptyState>
      ) : (
        <Log log={response} />
      )}
    </PanelFrame>
  )
}

const describeLog = ({ node, role, term, sinceTicks, commands, commitIndex }: ClusterLog, clock: Clock): string => {
  const pending = commands.index.reduce((count, index) => count + (index > commitIndex ? 1 : 0), 0)
  return [
    `Node ${node} is ${role.toLowerCase()} in term ${formatCount(term)}`,
    sinceTicks === null ? '' : ` since ${formatDateTime(sinceTicks, clock, 0)}`,
    `; ${formatPlural(commands.length, 'command')}, `,
    pending === 0 ? 'all committed.' : `${formatCount(pending)} not committed.`,
  ].join('')
}

const factsOf = ({ commands, commitIndex }: ClusterLog, row: number, clock: Clock): readonly FactLine[] => [
  ['Command', commands.kinds[commands.kind[row] ?? -1] ?? 'unknown'],
  [
    'Created',
    `${formatDateTime((commands.atTicks[row] ?? Number.NaN) as Ticks, clock, 7)}${clock === 'utc' ? ' UTC' : ''}`,
  ],
  ['Index', formatCount(commands.index[row] ?? Number.NaN)],
  ['Term', formatCount(commands.term[row] ?? Number.NaN)],
  ['State', (commands.index[row] ?? 0) > commitIndex ? 'not committed' : 'committed'],
]

const COLUMNS: readonly TableColumn[] = [
  { id: 'Index', title: 'Index', width: 80, align: 'end' },
  { id: 'Created', title: 'Created', width: 250 },
  { id: 'Command', title: 'Command', width: 240, grow: 1 },
  { id: 'Term', title: 'Term', width: 70, align: 'end' },
  { id: 'State', title: 'State', width: 130 },
]

function Log({ log }: { readonly log: ClusterLog }): ReactNode {
  const { commands, nowTicks } = log
  const state = useCaptureState()
  const { view, change } = useView()
  const { clock } = view
  const tokens = useCanvasTokens()
  const lanes = useLanes()
  const [widthPx, setWidthPx] = useState(0)
  const { layout, marks } = useMemo(() => layoutKinds(commands), [commands])
  const startTicks = (commands.atTicks[0] ?? nowTicks) as Ticks
  const lastTicks = commands.atTicks[commands.length - 1] ?? Number.NaN
  const known = { startTicks, endTicks: nowTicks }
  const viewport = useViewport(
    { ...state, extent: known, nowTicks },
    widthPx > 0 ? widthPx : ASSUMED_WIDTH_PX,
    NO_FOLDS,
  )
  const moving = useMoving(viewport)
  const { range } = viewport
  const selected = commands.index.indexOf(Number(view.selection ?? Number.NaN))
  const inView = Array.from({ length: commands.length }, (_, row) => row).filter((row) => {
    const at = commands.atTicks[row] ?? Number.NaN
    return at >= range.startTicks && at < range.endTicks
  })
  const select = (row: number | null): void =>
    change({ selection: row === null ? null : String(commands.index[row] ?? '') })
  const picture: CommandPicture = {
    layout,
    marks,
    scale: moving.scale,
    tokens,
    clock,
    scrollPx: lanes.sight.scrollPx,
    gaps: [],
    known,
    commitIndex: log.commitIndex,
    commands,
    selected,
  }
  const isTable = view.params['cluster-log.table'] === 'on'
  const describe = (row: number): string =>
    factsOf(log, row, clock)
      .map(([label, text]) => `${label} ${text}`)
      .join(', ')
  return (
    <>
      {log.criticalError === null ? null : (
        <Notice tone="error" title="The cluster log stopped">
          <bdi>{log.criticalError}</bdi>
        </Notice>
      )}
      {inView.length > 0 ? (
        <PanelSentence>{describeLog(log, clock)}</PanelSentence>
      ) : (
        <EmptyView
          sentence={`No command in view. ${describeLog(log, clock)}`}
          what="command"
          lastTicks={lastTicks}
          nowTicks={nowTicks}
          spanTicks={view.liveSpan}
          clock={clock}
          onGo={viewport.setRange}
        />
      )}
      <RangeToolbar viewport={viewport}>
        <Button
          aria-pressed={isTable}
          title="The same commands as a table"
          onClick={() => change({ params: { 'cluster-log.table': isTable ? '' : 'on' } })}
        >
          Table
        </Button>
      </RangeToolbar>
      <div className={styles.chart} style={{ ['--content' as string]: `${layout.heightPx + AXIS_AND_BORDER_PX}px` }}>
        <LaneTimeline
          label="Commands of the cluster"
          lanes={lanes}
          contract={COMMAND_LANES}
          picture={picture}
          viewport={moving}
          renderName={({ key }) => (
            <LaneName
              level="lane"
              title={key}
              figures={<NameFigure>{formatCount(marks.get(key)?.length ?? 0)}</NameFigure>}
            >
              {key}
            </LaneName>
          )}
          renderCard={({ row }) => <FactLines lines={factsOf(log, row, clock)} />}
          describe={(focus) => (focus === null ? '' : `${describe(focus.row)}. Enter selects it.`)}
          onSelect={(hit) => select(hit?.row ?? null)}
          onWidth={setWidthPx}
        />
      </div>
      {selected < 0 ? null : (
        <section className={cx('stack', card.pinned)} aria-label="Selected command">
          <FactLines lines={factsOf(log, selected, clock)} />
          <div className={cx('wrap', card.actions)}>
            <Button small onClick={() => select(null)}>
              Close
            </Button>
          </div>
        </section>
      )}
      {isTable ? (
        <div className={styles.table}>
          <VirtualTable<number>
            label="Commands in view"
            columns={COLUMNS}
            total={inView.length}
            rowHeightPx={26}
            version={`${range.startTicks}-${range.endTicks} ${commands.length} ${log.commitIndex} ${clock}`}
            fetchRows={(offset, limit) => Promise.resolve(inView.toReversed().slice(offset, offset + limit))}
            renderCell={(row, id) => factsOf(log, row, clock).find(([label]) => label === id)?.[1]}
            rowKey={(row) => String(commands.index[row])}
            selectedKey={selected < 0 ? null : String(commands.index[selected])}
            sort={null}
            onSort={() => undefined}
            onRowClick={select}
            isLive
          />
        </div>
      ) : null}
      <p className={cx('note', styles.note)}>
        A bar is a command that the node appended, hollow while it is not committed. Before the first one the server has
        truncated its log. Read every {EVERY_SECONDS} s while this panel is open.
      </p>
    </>
  )
}
