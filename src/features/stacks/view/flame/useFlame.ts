import { useState } from 'react'
import type { CssPx } from '../../../../base/brand.ts'
import type { ErrorInfo } from '../../../../capture/client/state.ts'
import { useCapture } from '../../../../capture/client/view.ts'
import type { FlameNeed } from '../../../../charts/flame/useFlameNeed.ts'
import { WHOLE } from '../../../../charts/flame/flame-window.ts'
import type { FrameName } from '../../../../feeds/stacks/contract/frames.ts'
import type { NodeId } from '../../../../feeds/stacks/contract/ids.ts'
import type { TreeView } from '../../../../feeds/stacks/contract/samples.ts'
import type { TextMatch } from '../../../../feeds/stacks/contract/search.ts'
import type { FlameResponse, FlameParams } from '../../../../feeds/stacks/contract/trees.ts'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'

export interface Flame {
  /** Newest response; null without one. */
  readonly response: FlameResponse | null
  /** Graph of the response: its request without the window. */
  readonly graphKey: string
  /** Whether the response belongs to another graph than the request. */
  readonly isOld: boolean
  readonly error: ErrorInfo | null
  readonly onNeed: (need: FlameNeed) => void
}

const FIRST_NEED: FlameNeed = { window: WHOLE, widthPx: 1200, firstDepth: 0, endDepth: 72 }

/** Key of a graph: its request without the window. */
const graphKeyOf = ({ view, zoom }: Pick<FlameParams, 'view' | 'zoom'>): string => JSON.stringify([view, zoom])

/** Requests the part of a view that is visible; earlier boxes stay until the new ones arrive. */
export function useFlame(view: TreeView, zoom: NodeId, search: TextMatch | null, version: number): Flame {
  const graphKey = graphKeyOf({ view, zoom })
  const [needed, setNeeded] = useState<{ readonly need: FlameNeed; readonly graphKey: string } | null>(null)
  const [lastAnswered, setLastAnswered] = useState('')
  // For a new graph only the size is kept: it is first shown as a whole.
  const need =
    needed === null
      ? FIRST_NEED
      : needed.graphKey === graphKey
        ? needed.need
        : { ...FIRST_NEED, widthPx: Math.max(1, needed.need.widthPx) }
  const params: FlameParams = {
    view,
    zoom,
    startShare: need.window.start,
    endShare: need.window.end,
    widthPx: need.widthPx as CssPx,
    firstDepth: need.firstDepth,
    endDepth: need.endDepth,
    search,
  }
  const { response, params: responseTo, error } = useRequest('stacks.flame', params, { version, everyMs: 60 })
  const answeredKey = responseTo === null ? '' : graphKeyOf(responseTo)
  if (answeredKey !== '' && answeredKey !== lastAnswered) setLastAnswered(answeredKey)
  return {
    response,
    graphKey: answeredKey,
    isOld: answeredKey !== graphKey,
    error,
    // The reported part is outdated once another graph is requested.
    onNeed: (next) => {
      if (answeredKey === graphKey) setNeeded({ need: next, graphKey })
      else setNeeded((before) => before ?? { need: next, graphKey: '' })
    },
  }
}

interface Clicked {
  readonly space: string
  readonly node: NodeId
  /** Path as in the link; null: being looked up. */
  readonly path: string | null
}

export interface Zoom {
  readonly node: NodeId
  readonly to: (node: NodeId) => void
}

/** Key of views that share node ids, which further snapshots do not change. */
const spaceOf = (view: TreeView): string => JSON.stringify([view.direction, view.focus, view.fold])

/** The zoomed node: in the link as the texts of its path, here as a node id of this page. */
export function useZoom(
  view: TreeView,
  path: readonly string[],
  version: number,
  onPath: (path: readonly string[]) => void,
): Zoom {
  const client = useCapture()
  const space = spaceOf(view)
  const joined = path.join('\n')
  const [clicked, setClicked] = useState<Clicked | null>(null)
  const isClicked = clicked !== null && clicked.space === space && (clicked.path === null || clicked.path === joined)
  const find = useRequest('stacks.findNode', isClicked || path.length === 0 ? undefined : { view, path }, {
    version,
    everyMs: 50,
  })
  const found = find.isCurrent ? (find.response ?? 0) : 0
  return {
    node: isClicked ? clicked.node : path.length === 0 ? 0 : Math.max(0, found),
    to: (node) => {
      if (node <= 0) {
        setClicked(null)
        onPath([])
        return
      }
      setClicked({ space, node, path: null })
      client.request('stacks.path', { view, node }).then(
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

/** Texts of a path without the root, which has none. */
const textsOf = (frames: readonly (FrameName & { readonly node: NodeId })[]): string[] =>
  frames.filter(({ node }) => node > 0).map(({ full }) => full)
