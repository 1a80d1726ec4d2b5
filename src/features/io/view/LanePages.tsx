import type { ReactNode } from 'react'
import { formatCount } from '../../../base/text/format.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import styles from './panel.module.css'
import { LANES_OF_PAGE } from '../../../feeds/io/contract/lanes.ts'
import { cx } from '../../../ui/theme/cx.ts'

export interface LanePagesProps {
  /** Page number, from 0. */
  readonly page: number
  /** Number of matching lanes over all pages. */
  readonly matching: number
  readonly onPage: (page: number) => void
}

/** Shows which lanes the timeline contains if it cannot show all of them; sums and overview cover all lanes. */
export function LanePages({ page, matching, onPage }: LanePagesProps): ReactNode {
  if (matching <= LANES_OF_PAGE) return null
  const last = Math.ceil(matching / LANES_OF_PAGE) - 1
  const from = page * LANES_OF_PAGE
  return (
    <div className={cx('row', styles.pages)} role="group" aria-label="Pages of lanes">
      <Button small disabled={page === 0} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <span role="status">
        Lanes {formatCount(from + 1)} to {formatCount(Math.min(matching, from + LANES_OF_PAGE))} of{' '}
        {formatCount(matching)}
      </span>
      <Button small disabled={page === last} onClick={() => onPage(page + 1)}>
        Next
      </Button>
      <span className="note">
        Summary, overview and table are of all of them; search for an index or storage to list it.
      </span>
    </div>
  )
}
