import { useState } from 'react'
import type { CssPx } from '../../../../base/brand.ts'
import type { ErrorInfo } from '../../../../capture/client/state.ts'
import { useCapture } from '../../../../capture/client/view.ts'
import type { FlameNeed } from '../../../../charts/flame/FlameChart.tsx'
import { WHOLE } from '../../../../charts/flame/flame-window.ts'
import type { StacksQueries } from '../../contract.ts'
import type { FrameName } from '../../contract/frames.ts'
import type { NodeId } from '../../contract/ids.ts'
import type { TreeView } from '../../contract/samples.ts'
import type { TextMatch } from '../../contract/search.ts'
import type { FlameAnswer, FlameAsk } from '../../contract/trees.ts'
import { useStacksAsk } from '../useStacks.ts'

const PART = '\u0000'

export interface Flame {
  /** Newest answer; null: none yet. */
  readonly answer: FlameAnswer | null
  /** Which graph it is of: what it was asked for but for the window. */
  readonly graphKey: string
  /** It is still of another graph than the one that is asked for. */
  readonly isOld: boolean
  readonly error: ErrorInfo | null
  readonly onNeed: (need: FlameNeed) => void
}

const FIRST_NEED: FlameNeed = { window: WHOLE, widthPx: 1200, firstDepth: 0, endDepth: 72 }

/** What of a view is in sight, asked for as it is needed; old marks stay until the new ones are here. */
export function useFlame(view: TreeView, zoom: NodeId, search: TextMatch | null, version: number): Flame {
  const graphKey = JSON.stringify([view, zoom])
  const [needed, setNeeded] = useState<{ readonly need: FlameNeed; readonly graphKey: string } | null>(null)
  const [lastAnswered, setLastAnswered] = useState('')
  // Of another graph only the size is of use: it is seen whole first.
  const need =
    needed === null
      ? FIRST_NEED
      : needed.graphKey === graphKey
        ? needed.need
        : { ...FIRST_NEED, widthPx: Math.max(1, needed.need.widthPx) }
  const ask: FlameAsk = {
    view,
    zoom,
    startShare: need.window.start,
    endShare: need.window.end,
    widthPx: need.widthPx as CssPx,
    firstDepth: need.firstDepth,
    endDepth: need.endDepth,
    search,
  }
  const windowKey = JSON.stringify([need, search])
  const { answer, key, error } = useStacksAsk('stacks.flame', ask, graphKey + PART + windowKey, version, 60)
  const answeredKey = key.slice(0, Math.max(0, key.indexOf(PART)))
  if (answeredKey !== '' && answeredKey !== lastAnswered) setLastAnswered(answeredKey)
  return {
    answer,
    graphKey: answeredKey,
    isOld: answeredKey !== graphKey,
    error,
    // The chart tells of what it shows; once another graph is asked for, that is history.
    onNeed: (next) => {
      if (answeredKey === graphKey) setNeeded({ need: next, graphKey })
      else setNeeded((before) => before ?? { need: next, graphKey: '' })
    },
  }
}

interface Clicked {
  readonly space: string
  readonly node: NodeId
  /** As the link has it; null: it is being looked up. */
  readonly path: string | null
}

export interface Zoom {
  readonly node: NodeId
  readonly to: (node: NodeId) => void
}

/** In which numbers of nodes are the same: more captures leave them as they are. */
const spaceOf = (view: TreeView): string => JSON.stringify([view.direction, view.focus, view.fold])

/** The zoomed node: in the link as the texts of its path, here as the number of this page. */
export function useZoom(
  view: TreeView,
  path: readonly string[],
  version: number,
  onPath: (path: readonly string[]) => void,
): Zoom {
  const capture = useCapture()
  const space = spaceOf(view)
  const joined = path.join('\n')
  const [clicked, setClicked] = useState<Clicked | null>(null)
  const isClicked = clicked !== null && clicked.space === space && (clicked.path === null || clicked.path === joined)
  const wanted = `${space}${PART}${joined}`
  const find = useStacksAsk(
    'stacks.findNode',
    isClicked || path.length === 0 ? null : { view, path },
    wanted,
    version,
    50,
  )
  const found = find.key === wanted ? (find.answer ?? 0) : 0
  return {
    node: isClicked ? clicked.node : path.length === 0 ? 0 : Math.max(0, found),
    to: (node) => {
      if (node <= 0) {
        setClicked(null)
        onPath([])
        return
      }
      setClicked({ space, node, path: null })
      capture.ask<StacksQueries['stacks.path']['answer']>('stacks.path', { view, node }).then(
        (frames) => {
          const texts = textsOf(frames)
          setClicked((before) => (before?.node === node ? { space, node, path: texts.join('\n') } : before))
          onPath(texts)
        },
        () => setClicked(null),
      )
    },
  }
}

/** Without the root, which has no text of its own. */
const textsOf = (frames: readonly (FrameName & { readonly node: NodeId })[]): string[] =>
  frames.filter(({ node }) => node > 0).map(({ full }) => full)
