import type { ReactNode } from 'react'
import { formatBytes, formatCount } from '../../../../base/text/format.ts'
import { LaneName, NameFigure } from '../../../../ui/lanes/LaneName.tsx'
import { KindSwatch } from './KindSwatch.tsx'
import { kindLook } from './kinds.ts'
import type { LayoutRow } from './layout.ts'

interface RowNameProps {
  readonly row: LayoutRow
  readonly onToggle: (row: LayoutRow) => void
}

/** Name of a row beside the plot; a click expands a lane into kinds, and a kind into files. */
export function RowName({ row, onToggle }: RowNameProps): ReactNode {
  const { lane } = row
  if (row.type === 'source')
    return (
      <LaneName
        level="source"
        icon={row.source === 'server' ? 'server' : row.source.startsWith('file:') ? 'file' : 'database'}
        title={row.label}
      >
        {row.label}
      </LaneName>
    )
  if (row.type === 'file')
    return (
      <LaneName
        level="leaf"
        title={`${row.label}${row.file?.status == null ? '' : `, ${row.file.status}`}`}
        figures={<NameFigure>{row.file?.sizeBytes == null ? '' : formatBytes(row.file.sizeBytes)}</NameFigure>}
      >
        {row.label.replace(/^0+(?=\d)/, '…')}
      </LaneName>
    )
  const totals = row.type === 'kind' ? lane?.kinds.find((each) => each.kind === row.kind) : undefined
  const title = row.type === 'kind' ? kindLook(row.label).title : row.label
  return (
    <LaneName
      level={row.type === 'kind' ? 'part' : 'lane'}
      title={row.type === 'lane' ? (lane?.path ?? '') : title}
      expanded={row.expanded}
      onToggle={() => onToggle(row)}
      swatch={row.type === 'kind' && row.kind !== null ? <KindSwatch kind={row.kind} /> : null}
      isGuess={lane?.labelIsReal === false && row.type === 'lane'}
      figures={
        totals !== undefined ? (
          <NameFigure>{formatCount(totals.count)}</NameFigure>
        ) : row.type === 'lane' && lane !== null && lane.type !== 'Index' && lane.type !== row.label ? (
          <NameFigure>{lane.type}</NameFigure>
        ) : null
      }
    >
      {title}
    </LaneName>
  )
}
