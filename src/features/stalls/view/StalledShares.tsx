import type { ReactNode } from 'react'
import { formatCount, formatShare } from '../../../base/text/format.ts'
import { SideScrollBox } from '../../../ui/table/SideScrollBox.tsx'
import { RowTable, type RowColumn } from '../../../ui/table/RowTable.tsx'
import type { StalledLane } from '../contract.ts'
import { environmentName } from './words.ts'
import styles from './stalls.module.css'

interface StalledSharesProps {
  /** Largest share first. */
  readonly lanes: readonly StalledLane[]
  readonly isOfMany: boolean
}

/** Stalled share of each environment: a sentence with the worst one, which opens to a list of all. */
export function StalledShares({ lanes, isOfMany }: StalledSharesProps): ReactNode {
  const [worst] = lanes
  if (worst === undefined) return null
  return (
    <details className={styles.shares}>
      <summary className="faint" title="Share of the time of which journal writes are known">
        Most stalled: <bdi title={worst.environment}>{environmentName(worst, isOfMany)}</bdi>,{' '}
        {formatShare(worst.stalledShare)}
      </summary>
      <SideScrollBox label="Stalled time by environment, table" role="group" className="raised">
        <RowTable
          label="Stalled time by environment"
          className="figures"
          rows={lanes}
          keyOf={({ source, environment }) => `${source} ${environment}`}
          columns={columnsOf(isOfMany)}
        />
      </SideScrollBox>
    </details>
  )
}

const columnsOf = (isOfMany: boolean): RowColumn<StalledLane>[] => [
  {
    title: 'Environment',
    cell: (lane) => <bdi>{environmentName(lane, isOfMany)}</bdi>,
    cellHint: ({ environment }) => environment,
  },
  { title: 'Stalls', cell: ({ stalls }) => formatCount(stalls) },
  {
    title: 'Of known time',
    hint: 'Stalled, as a share of the time of which journal writes are known',
    cell: ({ stalledShare }) => formatShare(stalledShare),
  },
]
