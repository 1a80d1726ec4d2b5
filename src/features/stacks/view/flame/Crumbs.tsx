import type { ReactNode } from 'react'
import { formatCount } from '../../../../base/text/format.ts'
import type { FrameName } from '../../../../feeds/stacks/contract/frames.ts'
import type { NodeId } from '../../../../feeds/stacks/contract/ids.ts'
import styles from './flame.module.css'
import { cx } from '../../../../ui/theme/cx.ts'

/** Number of the innermost frames that are named; the others are counted. */
const NAMED = 4

interface CrumbsProps {
  /** Frames root first. */
  readonly frames: readonly (FrameName & { readonly node: NodeId })[]
  readonly onZoom: (node: NodeId) => void
}

/** Path of the view, from the whole graph to the frame that fills the width. */
export function Crumbs({ frames, onZoom }: CrumbsProps): ReactNode {
  const hidden = Math.max(0, frames.length - NAMED)
  return (
    <nav aria-label="Zoomed to">
      <ol className={styles.crumbs}>
        <li>
          <button
            type="button"
            className={cx('cut bare', styles.crumb)}
            aria-current={frames.length === 0 ? 'page' : undefined}
            onClick={() => onZoom(0)}
          >
            All stacks
          </button>
        </li>
        {hidden === 0 ? null : <li className="note">{formatCount(hidden)} more</li>}
        {frames.slice(hidden).map((frame, at, shown) => (
          <li key={frame.node}>
            <button
              type="button"
              className={cx('cut bare', styles.crumb)}
              title={frame.full}
              aria-current={at === shown.length - 1 ? 'page' : undefined}
              onClick={() => onZoom(frame.node)}
            >
              <bdi>{frame.short}</bdi>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}
