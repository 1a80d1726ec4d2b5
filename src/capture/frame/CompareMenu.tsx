import type { ReactNode } from 'react'
import type { TimeRange } from '../../base/ticks.ts'
import { MenuButton } from '../../ui/controls/MenuButton.tsx'
import { formatSides, parseSide, type SideName } from '../client/compare-sides.ts'
import type { LinkParams } from '../client/panels.ts'
import type { SourceId } from '../client/state.ts'
import { useView } from '../client/view.ts'

interface CompareMenuProps {
  readonly range: TimeRange
  /** Data to compare. */
  readonly of: 'io' | 'indexing' | 'server'
  readonly sources: readonly SourceId[]
}

/** Makes the range in view, with its sources, one side of a comparison, which opens with both. */
export function CompareMenu({ range, of, sources }: CompareMenuProps): ReactNode {
  const { view, change, open } = useView()
  const { params } = view
  const take = (side: SideName): void => {
    const taken: LinkParams = { ...formatSides({ [side]: { sources, range } }), 'compare.of': of === 'io' ? '' : of }
    const other = parseSide(params, side === 'before' ? 'after' : 'before')
    if (other === null) change({ params: taken })
    else open('compare', { params: taken })
  }
  const hint = (other: SideName): string =>
    parseSide(params, other) === null ? `Then choose a range as ${other}` : `Opens the comparison`
  return (
    <MenuButton
      text="Compare range"
      label="Compare range in view"
      icon="history"
      small={false}
      items={[
        { text: 'Use as before', hint: hint('after'), onChoose: () => take('before') },
        { text: 'Use as after', hint: hint('before'), onChoose: () => take('after') },
      ]}
    />
  )
}
