import type { ReactNode } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Popover } from '../../../../ui/controls/Popover.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import styles from '../documents.module.css'

interface ColumnChoiceProps {
  /** Fields of the documents that were listed so far. */
  readonly fields: readonly string[]
  readonly shown: readonly string[]
  /** Sets the columns; null restores the default, the first fields. */
  readonly onChoose: (fields: readonly string[] | null) => void
}

export const ColumnChoice = ({ fields, shown, onChoose }: ColumnChoiceProps): ReactNode => (
  <Popover label="Columns" icon="more">
    <div className={cx('stack', styles.choices)}>
      {fields.map((field) => (
        <label key={field} className="inline">
          <input
            type="checkbox"
            checked={shown.includes(field)}
            onChange={() =>
              onChoose(shown.includes(field) ? shown.filter((each) => each !== field) : [...shown, field])
            }
          />
          <span className={styles.name}>{field}</span>
        </label>
      ))}
      {fields.length === 0 ? <p className="note">No field is known yet.</p> : null}
      <Button small onClick={() => onChoose(null)}>
        First fields
      </Button>
    </div>
  </Popover>
)
