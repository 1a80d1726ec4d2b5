import type { ReactNode } from 'react'
import { SelectionMenu } from '../../../../actions/view/SelectionMenu.tsx'
import { formatCount, formatPlural } from '../../../../base/text/format.ts'
import { ExportMenu } from '../../../../capture/exporting/ExportMenu.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import type { QueryExports } from '../../../query/contract.ts'
import type { DocumentRow } from '../../contract.ts'

const ONLY = ['document.delete']

interface ChosenProps {
  readonly database: string
  readonly rows: readonly DocumentRow[]
  /** Whether the maximum number of documents is selected. */
  readonly isFull: boolean
  /** Fields that become columns of an export. */
  readonly columns: readonly string[]
  readonly onClear: () => void
}

/** Result text of an export of the selected documents, which lacks documents that were deleted meanwhile. */
export const exportedText = (rows: number, expected: number | null): string =>
  expected === null || rows === expected
    ? `${formatPlural(rows, 'document')} exported.`
    : `${formatCount(rows)} of ${formatPlural(expected, 'document')} exported: the rest does not exist any more.`

/** Menus for the selected documents; an export stays visible if the selection is cleared. */
export function Chosen({ database, rows, isFull, columns, onClear }: ChosenProps): ReactNode {
  const isEmpty = rows.length === 0
  const ids = JSON.stringify(rows.map(({ id }) => id))
  return (
    <>
      {isFull ? (
        <span className="note">{formatPlural(rows.length, 'document')} are the most that can be selected.</span>
      ) : null}
      {isEmpty ? null : (
        <SelectionMenu
          only={ONLY}
          targets={rows.map(({ id: name, changeVector }) => ({
            target: { kind: 'document', database, name },
            facts: changeVector === '' ? {} : { changeVector },
          }))}
        />
      )}
      <ExportMenu<keyof QueryExports>
        text={`Export ${formatPlural(rows.length, 'document')}`}
        label="Export the selected documents"
        exporterOf={(kind) => `query.${kind}`}
        params={{
          database,
          text: 'from @all_docs where id() in ($ids)',
          parameters: JSON.stringify({ ids: rows.map(({ id }) => id) }),
          columns,
        }}
        what="documents"
        of={database}
        rows={rows.length}
        rowBytes={null}
        selection={isEmpty ? null : ids}
        doneText={exportedText}
      />
      {isEmpty ? null : (
        <Button small tone="quiet" onClick={onClear}>
          Clear selection
        </Button>
      )}
    </>
  )
}
