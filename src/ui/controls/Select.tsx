import type { ReactNode } from 'react'
import { FieldFrame } from './Field.tsx'
import styles from './Field.module.css'

export interface SelectProps<Value extends string> {
  readonly label: string
  readonly hideLabel?: boolean
  readonly options: readonly { readonly value: Value; readonly text: string }[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}

/** Native list, which works with every device and assistive technology. */
export function Select<Value extends string>({
  label,
  hideLabel,
  options,
  value,
  onChange,
}: SelectProps<Value>): ReactNode {
  return (
    <FieldFrame label={label} hideLabel={hideLabel}>
      {({ inputId }) => (
        <select
          id={inputId}
          className={styles.select}
          value={value}
          onChange={(event) => {
            const chosen = options.find((option) => option.value === event.target.value)
            if (chosen !== undefined) onChange(chosen.value)
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  )
}
