import { useId, type ReactNode } from 'react'
import { formatCount, formatPlural, formatShare } from '../../../../base/text/format.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Segmented } from '../../../../ui/controls/Segmented.tsx'
import { Toggle } from '../../../../ui/controls/Toggle.tsx'
import type { FrameName } from '../../../../feeds/stacks/contract/frames.ts'
import type { NodeId } from '../../../../feeds/stacks/contract/ids.ts'
import type { SampleFilter, TreeView, Weight } from '../../../../feeds/stacks/contract/samples.ts'
import type { TextMatch } from '../../../../feeds/stacks/contract/search.ts'
import { NodeThreads } from '../threads/NodeThreads.tsx'
import { Crumbs } from './Crumbs.tsx'
import { FlameLegend } from './FlameLegend.tsx'
import { FlamePane } from './FlamePane.tsx'
import styles from './flame.module.css'
import type { FlameDirection } from '../../contract.ts'
import type { StacksSettings } from '../params.ts'
import { TreeTable } from './TreeTable.tsx'
import { useFlame, useZoom, type Flame } from './useFlame.ts'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { BUSY_WAITS, IDLE_WAITS } from '../threads/wait-styles.ts'
import { formatWeight } from '../words.ts'
import { cx } from '../../../../ui/theme/cx.ts'

export interface FlameViewProps {
  readonly samples: SampleFilter
  readonly against: SampleFilter | null
  readonly settings: StacksSettings
  readonly version: number
  readonly onChange: (parts: Partial<StacksSettings>, push?: boolean) => void
  readonly onThread: (threadId: number) => void
}

const WEIGHTS: readonly { readonly value: Weight; readonly text: string; readonly title: string }[] = [
  { value: 'threads', text: 'Threads', title: 'Width: how many threads stand there at a time, on average' },
  { value: 'samples', text: 'Samples', title: 'Width: how often it was seen' },
  { value: 'cpu', text: 'CPU', title: 'Width: what share of the machine those threads used' },
]

const DIRECTIONS: readonly { readonly value: FlameDirection; readonly text: string; readonly title: string }[] = [
  { value: 'top-down', text: 'From the root', title: 'Each thread’s first function first, what it calls below' },
  { value: 'bottom-up', text: 'From the leaf', title: 'Where threads stand first, who called it below' },
]

/**
 * Stacks merged into a tree: as a flame graph or icicle, or in both directions from a function, with an equivalent
 * table.
 */
export function FlameView(props: FlameViewProps): ReactNode {
  const { settings, onChange } = props
  const { weight, direction, fold } = settings
  const hides = settings.waits.length === 0 && !settings.waiting
  const busy = (filter: SampleFilter): SampleFilter => (hides ? { ...filter, waits: BUSY_WAITS } : filter)
  const samples = busy(props.samples)
  const against = props.against === null ? null : busy(props.against)
  const hidden = useHidden(hides ? props.samples : null, settings, props.version)
  const around = direction === 'around'
  const base = { samples, against, focus: null, fold, weight }
  const directions = around
    ? [
        ...DIRECTIONS,
        { value: 'around' as const, text: 'Around one function', title: 'Who calls it, and what it calls' },
      ]
    : DIRECTIONS
  return (
    <div className={cx('column', styles.view)}>
      <div className={cx('row', styles.tools)} role="toolbar" aria-label="Flame graph">
        <Segmented label="Width" options={WEIGHTS} value={weight} onChange={(value) => onChange({ weight: value })} />
        <Segmented
          label="Direction"
          options={directions}
          value={direction}
          onChange={(value) => onChange({ direction: value, zoom: [] })}
        />
        <Toggle
          label="Fold framework"
          title="Joins frames of the runtime and of pools that only pass a call on"
          checked={fold}
          onChange={(value) => onChange({ fold: value, zoom: [] })}
        />
        {around ? null : (
          <Toggle
            label="Upwards"
            title="Flame graph: roots at the bottom. Off: icicle, roots at the top."
            checked={settings.upwards}
            onChange={(upwards) => onChange({ upwards })}
          />
        )}
        {settings.waits.length > 0 ? null : (
          <Toggle
            label={hidden > 0 ? `Waiting threads: ${formatCount(hidden)} hidden` : 'Waiting threads'}
            title="Threads that wait for work or a timer: they have nothing to do"
            checked={settings.waiting}
            onChange={(waiting) => onChange({ waiting, zoom: [] })}
          />
        )}
        <Button aria-pressed={settings.table} onClick={() => onChange({ table: !settings.table })}>
          Table
        </Button>
      </div>
      {around ? (
        <Around {...props} base={base} />
      ) : (
        <OneWay
          {...props}
          view={{ ...base, direction: direction === 'bottom-up' ? 'bottom-up' : 'top-down' }}
          hidden={hidden}
        />
      )}
    </div>
  )
}

/** Number of samples that are hidden because their threads wait for work or a timer. */
function useHidden(samples: SampleFilter | null, { weight, fold }: StacksSettings, version: number): number {
  const params = samples === null ? undefined : { samples: { ...samples, waits: IDLE_WAITS }, weight, fold }
  const { response } = useRequest('stacks.exportCount', params, { version, everyMs: 250 })
  return params === undefined ? 0 : (response?.samples ?? 0)
}

const searchOf = ({ find }: StacksSettings): TextMatch | null => (find.text.trim() === '' ? null : find)

function OneWay({
  view,
  settings,
  version,
  hidden,
  onChange,
  onThread,
}: FlameViewProps & { readonly view: TreeView; readonly hidden: number }): ReactNode {
  const legendId = useId()
  const search = searchOf(settings)
  const zoom = useZoom(view, settings.zoom, version, (path) => onChange({ zoom: path }, true))
  const flame = useFlame(view, zoom.node, search, version)
  const path = useRequest('stacks.path', zoom.node > 0 ? { view, node: zoom.node } : undefined, {
    version,
    everyMs: 50,
  })
  const crumbs = zoom.node > 0 ? (path.response ?? []).filter(({ node }) => node > 0) : []
  const out = (): void => zoom.to(crumbs.at(-2)?.node ?? 0)
  const around = (name: FrameName): void => onChange({ direction: 'around', focus: name.full, zoom: [] }, true)
  const here = crumbs.at(-1)
  return (
    <>
      <div className={cx('row', styles.lines)}>
        <Crumbs frames={crumbs} onZoom={zoom.to} />
        {here === undefined ? null : (
          <Button small onClick={() => around(here)} title="Who calls this function, and what it calls">
            Callers and callees
          </Button>
        )}
        <Totals flame={flame} view={view} />
      </div>
      {zoom.node > 0 ? <NodeThreads view={view} node={zoom.node} version={version} onThread={onThread} /> : null}
      <SearchLine flame={flame} search={search} compared={view.against !== null} />
      {settings.table ? (
        <TreeTable view={view} zoom={zoom.node} search={search} version={version} onFocus={around} />
      ) : (
        <div className={styles.chart}>
          <FlamePane
            label={settings.upwards ? 'Flame graph' : 'Icicle of stacks'}
            describedBy={legendId}
            flame={flame}
            view={view}
            upwards={settings.upwards}
            selected={zoom.node > 0 ? zoom.node : null}
            isSearched={search !== null}
            onEnter={(node) => zoom.to(node)}
            onOut={out}
            onAll={() => zoom.to(0)}
            empty={
              hidden === 0 ? null : (
                <>
                  All of them wait for work or a timer.{' '}
                  <Button small onClick={() => onChange({ waiting: true })}>
                    Show {formatPlural(hidden, 'waiting thread')}
                  </Button>
                </>
              )
            }
          />
        </div>
      )}
      <FlameLegend id={legendId} compared={view.against !== null} />
    </>
  )
}

/** Callers above a function and callees below it. */
function Around({
  base,
  settings,
  version,
  onChange,
}: FlameViewProps & { readonly base: Omit<TreeView, 'direction'> }): ReactNode {
  const legendId = useId()
  const found = useRequest('stacks.findFrame', { text: settings.focus }, { version, everyMs: 50 })
  const frame = found.isCurrent ? found.response : null
  const search = searchOf(settings)
  const views = {
    callers: { ...base, direction: 'callers', focus: frame?.id ?? null } as const,
    callees: { ...base, direction: 'callees', focus: frame?.id ?? null } as const,
  }
  const enter = (_node: NodeId, name: FrameName): void => {
    if (name.category !== 'pseudo' && name.full !== settings.focus) onChange({ focus: name.full }, true)
  }
  const leave = (): void => onChange({ direction: 'top-down', focus: '', zoom: [] }, true)
  if (frame === null)
    return (
      <p className={styles.empty} role="status">
        {found.isCurrent ? `No stack that is held contains “${settings.focus}”.` : 'Searching for the function …'}
      </p>
    )
  const pane = { view: views, search, version, legendId, onEnter: enter, onOut: leave }
  return (
    <>
      <div className={cx('row', styles.lines)}>
        <h2 className={styles.focus}>
          <bdi title={frame.full}>{frame.short}</bdi> <span className="note">{frame.module}</span>
        </h2>
        <Button small onClick={leave}>
          Back to all stacks
        </Button>
      </div>
      {settings.table ? (
        <>
          <h3 className={cx('note', styles.half)}>Who calls it</h3>
          <TreeTable
            view={views.callers}
            zoom={0}
            search={search}
            version={version}
            onFocus={(name) => enter(0, name)}
          />
          <h3 className={cx('note', styles.half)}>What it calls</h3>
          <TreeTable
            view={views.callees}
            zoom={0}
            search={search}
            version={version}
            onFocus={(name) => enter(0, name)}
          />
        </>
      ) : (
        <>
          <h3 className={cx('note', styles.half)}>Who calls it: upwards</h3>
          <Half {...pane} side="callers" />
          <h3 className={cx('note', styles.half)}>What it calls: downwards. A click goes around that function.</h3>
          <Half {...pane} side="callees" />
        </>
      )}
      <FlameLegend id={legendId} compared={base.against !== null} />
    </>
  )
}

interface HalfProps {
  readonly side: 'callers' | 'callees'
  readonly view: Readonly<Record<'callers' | 'callees', TreeView>>
  readonly search: TextMatch | null
  readonly version: number
  readonly legendId: string
  readonly onEnter: (node: NodeId, name: FrameName) => void
  readonly onOut: () => void
}

function Half({ side, view, search, version, legendId, onEnter, onOut }: HalfProps): ReactNode {
  const flame = useFlame(view[side], 0, search, version)
  return (
    <div className={styles.halfChart}>
      <FlamePane
        label={side === 'callers' ? 'Callers' : 'Callees'}
        describedBy={legendId}
        flame={flame}
        view={view[side]}
        upwards={side === 'callers'}
        selected={null}
        isSearched={search !== null}
        onEnter={onEnter}
        onOut={onOut}
        onAll={() => undefined}
      />
    </div>
  )
}

function Totals({ flame, view }: { readonly flame: Flame; readonly view: TreeView }): ReactNode {
  const { response } = flame
  if (response === null) return null
  const { total } = response
  return (
    <span className="note" role="status">
      {formatPlural(total.samples, 'sample')}
      {view.weight === 'samples' ? '' : `, ${formatWeight(total.weight, view.weight)}`}
      {view.against === null ? '' : `; compared with ${formatWeight(total.against, view.weight)}`}
      {response.unknownCpu === 0 ? '' : `; of ${formatPlural(response.unknownCpu, 'sample')} the CPU is unknown`}
    </span>
  )
}

interface SearchLineProps {
  readonly flame: Flame
  readonly search: TextMatch | null
  readonly compared: boolean
}

function SearchLine({ flame, search, compared }: SearchLineProps): ReactNode {
  const result = flame.response?.search ?? null
  if (search === null || result === null) return null
  if (result.error !== null)
    return (
      <p className={styles.problem} role="alert">
        {result.error}
      </p>
    )
  return (
    <p role="status">
      “{search.text}” is in {formatShare(result.share)} of what is shown
      {compared ? `, and in ${formatShare(result.againstShare)} of what it is compared with` : ''}:{' '}
      {formatCount(result.frames)} {result.frames === 1 ? 'function matches' : 'functions match'}.
    </p>
  )
}
