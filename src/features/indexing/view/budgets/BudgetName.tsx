import type { ReactNode } from 'react'
import { formatBytes } from '../../../../base/text/format.ts'
import type { IndexingPalette } from '../palette.ts'
import styles from './budget-name.module.css'
import type { BudgetRow } from './layout.ts'
import type { BudgetStack } from './series.ts'

interface BudgetNameProps {
  readonly row: BudgetRow
  readonly stack: BudgetStack | null
  readonly palette: IndexingPalette
}

/** Name of a row, with a legend of its colours in the row that uses them. */
export function BudgetName({ row, stack, palette }: BudgetNameProps): ReactNode {
  return (
    <div className={styles.measure}>
      <div className={styles.measureHead}>
        <b title={row.label}>
          <bdi>{row.label}</bdi>
        </b>
        {row.series === null ? null : (
          <span className={styles.figure} title="Most that it was granted in view">
            {row.series.topGrantedBytes > 0
              ? formatBytes(row.series.topGrantedBytes)
              : row.series.budget.ran.includes(1)
                ? 'asked for none'
                : 'not measured'}
          </span>
        )}
      </div>
      {row.type === 'machine' ? <MachineKeys palette={palette} /> : null}
      {row.type === 'stack' && stack !== null ? <StackKeys stack={stack} palette={palette} /> : null}
    </div>
  )
}

interface KeyProps {
  readonly colour: string
  readonly calm?: boolean
  readonly children: ReactNode
}

function Key({ colour, calm = false, children }: KeyProps): ReactNode {
  return (
    <li>
      <svg width="11" height="9" viewBox="0 0 11 9" aria-hidden="true">
        {calm ? (
          <path d="M-2 9 6 1M2 10 10 2M6 11 14 3" style={{ stroke: colour }} strokeWidth="1.3" fill="none" />
        ) : (
          <rect width="11" height="9" rx="1.5" style={{ fill: colour }} />
        )}
      </svg>
      <span className="cut">{children}</span>
    </li>
  )
}

function MachineKeys({ palette }: { readonly palette: IndexingPalette }): ReactNode {
  return (
    <ul className={styles.keys}>
      <Key colour={palette.memory.clean} calm>
        reclaimable at once
      </Key>
      <Key colour={palette.memory.other}>others and the system</Key>
      <Key colour={palette.memory.private}>private, this server</Key>
      <Key colour={palette.memory.available}>line: above it available</Key>
      <Key colour={palette.failed}>▼ memory low</Key>
    </ul>
  )
}

function StackKeys({ stack, palette }: { readonly stack: BudgetStack; readonly palette: IndexingPalette }): ReactNode {
  return (
    <ul className={styles.keys}>
      {stack.layers
        .map((layer, place) => ({ layer, colour: layer.index === null ? palette.memory.other : palette.series(place) }))
        .slice(0, 6)
        .map(({ layer, colour }) => (
          <Key key={layer.index ?? 'others'} colour={colour}>
            <bdi>{layer.name}</bdi>
          </Key>
        ))}
    </ul>
  )
}
