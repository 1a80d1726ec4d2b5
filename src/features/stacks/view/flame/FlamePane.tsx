import type { ReactNode } from 'react'
import { formatPlural, formatShare } from '../../../../base/text/format.ts'
import { FlameChart } from '../../../../charts/flame/FlameChart.tsx'
import { useCanvasTokens } from '../../../../charts/canvas/tokens.ts'
import { Notice } from '../../../../ui/Notice.tsx'
import { Spinner } from '../../../../ui/Progress.tsx'
import type { FrameName } from '../../../../feeds/stacks/contract/frames.ts'
import type { NodeId } from '../../../../feeds/stacks/contract/ids.ts'
import type { TreeView, Weight } from '../../../../feeds/stacks/contract/samples.ts'
import type { FlameResponse } from '../../../../feeds/stacks/contract/trees.ts'
import styles from './flame.module.css'
import { categoryTitle, frameLook, framePalette } from './frame-styles.ts'
import type { Flame } from './useFlame.ts'
import { changeOf, describeChange, formatWeight } from '../words.ts'

export interface FlamePaneProps {
  readonly label: string
  readonly describedBy: string
  readonly flame: Flame
  readonly view: TreeView
  readonly upwards: boolean
  readonly selected: NodeId | null
  readonly isSearched: boolean
  /** Words for an empty graph, if there is a specific reason. */
  readonly empty?: ReactNode
  readonly onEnter: (node: NodeId, name: FrameName) => void
  readonly onOut: () => void
  readonly onAll: () => void
}

interface Mark {
  readonly name: FrameName | null
  readonly weight: number
  readonly against: number
  readonly self: number
  readonly joined: number
}

const NO_BOXES = {
  length: 0,
  depth: new Uint16Array(0),
  startShare: new Float64Array(0),
  endShare: new Float64Array(0),
}

/** Flame graph or icicle, with a card for the box under the pointer. */
export function FlamePane(props: FlamePaneProps): ReactNode {
  const { flame, view, isSearched } = props
  const tokens = useCanvasTokens()
  const palette = framePalette(tokens.theme, tokens.fg)
  const { response } = flame
  const names = new Map(response?.names.map((name) => [name.id, name]))
  const marks = response?.marks ?? null
  const compared = view.against !== null
  const markOf = (box: number): Mark => ({
    name: names.get(marks?.frame[box] ?? -1) ?? null,
    weight: marks?.weight[box] ?? 0,
    against: marks?.against[box] ?? 0,
    self: marks?.self[box] ?? 0,
    joined: marks?.joined[box] ?? 1,
  })
  const labelOf = (box: number): string =>
    labelMark(markOf(box), marks?.depth[box] === 0 && (marks.node[box] ?? 0) === 0)
  if (flame.error !== null && response === null) return <Notice tone="error" title={flame.error.message} />
  if (response !== null && response.marks.length === 0)
    return (
      <div className={styles.empty}>
        {props.empty ?? `No sample passes the filters${view.weight === 'cpu' ? ', or none used the CPU' : ''}.`}
      </div>
    )
  return (
    <div className={styles.pane} data-old={flame.isOld ? '' : undefined}>
      {response === null ? <Spinner>Drawing …</Spinner> : null}
      <FlameChart
        label={props.label}
        describedBy={props.describedBy}
        boxes={marks ?? NO_BOXES}
        levels={(response?.depth ?? 0) + 1}
        graphKey={flame.graphKey}
        idOf={(box) => ((marks?.joined[box] ?? 1) > 1 ? -1 : (marks?.node[box] ?? -1))}
        lookOf={(box) => {
          const { name, weight, against } = markOf(box)
          const change = compared && response !== null ? changeOfShares(response, weight, against) : null
          return frameLook(palette, name?.category ?? 'pseudo', isSearched && marks?.matched[box] !== 1, change)
        }}
        labelOf={labelOf}
        describe={(box) => {
          const mark = markOf(box)
          return `${labelOf(box)}, ${describeShare(response, mark, view.weight)}${mark.name === null ? '' : `, ${categoryTitle(mark.name.category)}`}. Enter zooms.`
        }}
        renderCard={(box) => (
          <MarkCard
            mark={markOf(box)}
            label={labelOf(box)}
            response={response}
            weight={view.weight}
            compared={compared}
          />
        )}
        selected={props.selected}
        upwards={props.upwards}
        tokens={tokens}
        onNeed={flame.onNeed}
        onEnter={(box) => {
          const { name } = markOf(box)
          const node = marks?.node[box] ?? -1
          if (node > 0 && name !== null) props.onEnter(node, name)
          else if (node === 0) props.onAll()
        }}
        onOut={props.onOut}
        onAll={props.onAll}
      />
    </div>
  )
}

const labelMark = ({ name, joined }: Mark, isRoot: boolean): string =>
  isRoot ? 'All' : joined > 1 || name === null ? formatPlural(joined, 'narrow frame') : name.short

/** Change in the share of the whole, so that a side with more threads does not look as if everything had grown. */
const changeOfShares = ({ total }: FlameResponse, weight: number, against: number): number =>
  changeOf(total.against > 0 ? against / total.against : 0, total.weight > 0 ? weight / total.weight : 0)

const shareOf = (part: number, whole: number): string => formatShare(whole > 0 ? part / whole : Number.NaN)

function describeShare(response: FlameResponse | null, mark: Mark, weight: Weight): string {
  if (response === null) return ''
  return `${formatWeight(mark.weight, weight)}, ${shareOf(mark.weight, response.total.weight)} of all`
}

interface MarkCardProps {
  readonly mark: Mark
  readonly label: string
  readonly response: FlameResponse | null
  readonly weight: Weight
  readonly compared: boolean
}

function MarkCard({ mark, label, response, weight, compared }: MarkCardProps): ReactNode {
  const { name } = mark
  return (
    <div className={styles.markCard}>
      <p className={styles.markTitle}>{label}</p>
      {name === null ? (
        <p className="note">Too narrow to be drawn apart. Zoom in to see each.</p>
      ) : (
        <p className="note">
          {categoryTitle(name.category)}
          {name.module === '' ? '' : ` · ${name.module}`}
        </p>
      )}
      {response === null ? null : (
        <dl className={styles.markFacts}>
          <dt>{compared ? 'Here' : 'In all'}</dt>
          <dd>
            {formatWeight(mark.weight, weight)}, {shareOf(mark.weight, response.total.weight)}
          </dd>
          {compared ? (
            <>
              <dt>Compared with</dt>
              <dd>
                {formatWeight(mark.against, weight)}, {shareOf(mark.against, response.total.against)}
              </dd>
              <dt>Its share</dt>
              <dd>
                {describeChange(
                  response.total.against > 0 ? mark.against / response.total.against : 0,
                  response.total.weight > 0 ? mark.weight / response.total.weight : 0,
                )}{' '}
                of its share
              </dd>
            </>
          ) : (
            <>
              <dt>Ends here</dt>
              <dd>
                {formatWeight(mark.self, weight)}, {shareOf(mark.self, response.total.weight)}
              </dd>
            </>
          )}
        </dl>
      )}
      {name === null || name.full === name.short ? null : <p className={styles.full}>{name.full}</p>}
    </div>
  )
}
