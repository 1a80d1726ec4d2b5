import type { ReactNode } from 'react'
import type { Ticks } from '../../base/ticks.ts'
import { MenuButton } from '../../ui/controls/MenuButton.tsx'
import { saveText } from './save-text.ts'
import { useAttempt } from '../client/requests/useAttempt.ts'
import { AttemptFailure } from '../frame/notices/AttemptFailure.tsx'
import { exportFileName } from './file-name.ts'
import type { ListColumn } from './list-text.ts'
import { listCsv, listNdjson } from './list-text.ts'

/** For CSV and NDJSON of a list with short cells. */
const CELL_BYTES = 20

export interface ListExportProps<Row> {
  /** Its name is `Export <label>`. */
  readonly label: string
  /** Only the icon is seen, where there is no room. */
  readonly compact?: boolean
  /** Part of the file's name: `databases`, `io-slowest`. */
  readonly what: string
  readonly of: string
  readonly at: Ticks | null
  readonly columns: readonly ListColumn<Row>[]
  /** As they are on the screen, all of them, sorted and filtered. */
  readonly rows: readonly Row[]
  /** A row that is JSON already: it goes into NDJSON as it is. */
  readonly jsonOf?: (row: Row) => string
}

/** A small menu that saves a list as CSV or NDJSON. */
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
