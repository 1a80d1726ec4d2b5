import type { ReactNode } from 'react'
import { formatCount } from '../../../../base/text/format.ts'
import { LaneName, NameFigure } from '../../../../ui/lanes/LaneName.tsx'
import type { LaneRow } from './layout.ts'

const TROUBLE = { faulty: 'faulty', error: 'in error', gone: 'gone' } as const

interface RowNameProps {
  readonly row: LaneRow
  readonly onToggle: (row: LaneRow) => void
}

/** Name of a lane beside the plot; a click expands it to the operations of its batches. */
export function RowName({ row, onToggle }: RowNameProps): ReactNode {
  const { index } = row
  if (index === null)
    return (
      <LaneName level="source" title={row.label} icon={row.source.startsWith('file:') ? 'file' : 'database'}>
        {row.label}
      </LaneName>
    )
  const state =
    index.trouble !== null
      ? TROUBLE[index.trouble]
      : index.replaces !== null
        ? 'replacement'
        : (index.runningState ??
          (index.facts?.status === 'Paused' || index.facts?.status === 'Disabled'
            ? index.facts.status.toLowerCase()
            : null))
  const left = index.progress === null ? '' : `, ${formatCount(index.progress.itemsLeft)} documents left`
  return (
    <LaneName
      level="lane"
      expanded={row.expanded}
      isTop={row.expanded}
      onToggle={() => onToggle(row)}
      title={[index.name, `${formatCount(index.counts.batches)} batches seen${left}`, index.note]
        .filter((line) => line !== '')
        .join(' · ')}
      figures={state === null ? null : <NameFigure isTrouble={index.trouble !== null}>{state}</NameFigure>}
    >
      {row.label}
    </LaneName>
  )
}
