import type { ReactNode } from 'react'
import type { RawRef } from '../../../../capture/raw/queries.ts'
import { useAttempt } from '../../../../capture/client/requests/useAttempt.ts'
import { useCapture } from '../../../../capture/client/view.ts'
import { AttemptFailure } from '../../../../capture/frame/notices/AttemptFailure.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { LongText } from '../../../../ui/LongText.tsx'
import { RowTable } from '../../../../ui/table/RowTable.tsx'
import type { RowColumn } from '../../../../ui/table/RowTable.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import { requestRaw } from '../raw/useRaw.ts'
import type { RecordList } from './lists.ts'
import type { RecordRow } from './records.ts'
import { readableText } from './records.ts'
import styles from './table.module.css'

const FieldValue = ({ text }: { readonly text: string }): ReactNode => (
  <LongText text={text} isInline={!text.includes('\n')} className={styles.value} />
)

const COLUMNS: readonly RowColumn<readonly [string, string]>[] = [
  { title: 'Field', cell: ([key]) => <bdi>{key}</bdi> },
  { title: 'Value', cell: ([, value]) => <FieldValue text={readableText(value)} /> },
]

interface RecordPaneProps {
  readonly document: RawRef
  readonly list: RecordList
  readonly row: RecordRow
  readonly onTree: (at: number) => void
  readonly onClose: () => void
}

/** All fields of one row with their full values. */
export function RecordPane({ document, list, row, onTree, onClose }: RecordPaneProps): ReactNode {
  const capture = useCapture()
  const { failure, attempt } = useAttempt()
  const path = `${list.path}[${String(row.position)}]`
  const showInTree = async (): Promise<void> => {
    const params = { ...document, at: list.at, first: row.position, count: 1 }
    const { children } = await requestRaw(capture, 'raw.children', params)
    const [child] = children
    if (child !== undefined) onTree(child.at)
  }
  return (
    <section className={cx('raised', 'stack', styles.pane)} aria-label="Chosen row">
      <header className={cx('row', styles.paneHead)}>
        <code className={styles.path}>{path}</code>
        <span className="push" />
        <CopyButton label="Copy row" text={() => row.text} />
        <Button small tone="quiet" onClick={() => void attempt('Could not go to the row', showInTree)}>
          Show in tree
        </Button>
        <Button small onClick={onClose}>
          Close
        </Button>
        <AttemptFailure of={failure} />
      </header>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by key */}
      <div className={styles.fields} tabIndex={0} role="group" aria-label="Fields">
        <RowTable<readonly [string, string]>
          label={path}
          rows={[...row.values]}
          keyOf={([key]) => key}
          columns={COLUMNS}
        />
      </div>
    </section>
  )
}
