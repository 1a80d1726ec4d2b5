import type { ReactNode } from 'react'
import type { Ticks } from '../../base/ticks.ts'
import { MenuButton } from '../../ui/controls/MenuButton.tsx'
import { saveText } from './save-text.ts'
import { useAttempt } from '../client/requests/useAttempt.ts'
import { AttemptFailure } from '../frame/notices/AttemptFailure.tsx'
import { exportFileName } from './file-name.ts'
import type { ListColumn } from './list-text.ts'
import { listCsv, listNdjson } from './list-text.ts'

/** Estimated bytes of a cell in CSV and NDJSON. */
const CELL_BYTES = 20

export interface ListExportProps<Row> {
  /** The accessible name is `Export <label>`. */
  readonly label: string
  /** Shows only the icon, for lack of space. */
  readonly compact?: boolean
  /** Part of the file's name: `databases`, `io-slowest`. */
  readonly what: string
  readonly of: string
  readonly at: Ticks | null
  readonly columns: readonly ListColumn<Row>[]
  /** All rows of the list, sorted and filtered as on screen. */
  readonly rows: readonly Row[]
  /** JSON text of a row, which NDJSON contains as it is. */
  readonly jsonOf?: (row: Row) => string
}

/** Small menu that saves a list as CSV or NDJSON. */
export function ListExport<Row>({
  label,
  compact = false,
  what,
  of,
  at,
  columns,
  rows,
  jsonOf,
}: ListExportProps<Row>): ReactNode {
  const { failure, attempt } = useAttempt()
  const save = (extension: 'csv' | 'ndjson', mediaType: string, lines: Generator<string>): void => {
    const expectedBytes = rows.length * columns.length * CELL_BYTES
    void attempt('Not saved', () =>
      saveText(lines, { name: exportFileName({ what, of, at, extension }), mediaType, expectedBytes }),
    )
  }
  return (
    <>
      <MenuButton
        text={compact ? null : 'Export'}
        label={`Export ${label}`}
        icon="export"
        items={[
          {
            text: 'CSV',
            hint: 'for spreadsheets',
            onChoose: () => save('csv', 'text/csv', listCsv(columns, rows)),
          },
          {
            text: 'NDJSON',
            hint: 'for jq and scripts: an object a line',
            onChoose: () => save('ndjson', 'application/x-ndjson', listNdjson(columns, rows, jsonOf)),
          },
        ]}
      />
      <AttemptFailure of={failure} />
    </>
  )
}
