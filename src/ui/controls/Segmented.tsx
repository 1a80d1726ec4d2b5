import type { ReactNode } from 'react'
import { useId } from 'react'
import styles from './Segmented.module.css'
import { cx } from '../theme/cx.ts'

export interface SegmentedProps<Value extends string> {
  /** Accessible name, not visible. */
  readonly label: string
  readonly options: readonly { readonly value: Value; readonly text: string; readonly title?: string }[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}

/** Choice between a few visible values: radio buttons, and their keys, in the style of one control. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>): ReactNode {
  const name = useId()
  return (
    <div role="radiogroup" aria-label={props.label} className={styles.group}>
      {props.options.map((option) => (
        <label key={option.value} className={cx('note', styles.option)} title={option.title}>
          <input
            type="radio"
            className={styles.input}
            name={name}
            checked={option.value === props.value}
            onChange={() => props.onChange(option.value)}
          />
          {option.text}
        </label>
      ))}
    </div>
  )
}
