import type { HTMLAttributes, ReactNode, Ref } from 'react'
import { useId } from 'react'
import { cx } from '../theme/cx.ts'
import styles from './Field.module.css'

export interface FieldFrameProps {
  readonly label: string
  /** Hides the label visually, for fields whose place explains them. */
  readonly hideLabel?: boolean | undefined
  readonly unit?: string | undefined
  /** Why the input is not accepted; null: it is. */
  readonly problem?: string | null | undefined
  readonly children: (ids: {
    readonly inputId: string
    readonly describedBy: string | undefined
    readonly className: string
  }) => ReactNode
}

/** Label, box, unit and problem around an input. */
export function FieldFrame({ label, hideLabel = false, unit, problem = null, children }: FieldFrameProps): ReactNode {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={cx(styles.label, hideLabel && 'spoken')}>
        {label}
      </label>
      <span className={styles.box}>
        {children({
          inputId: id,
          describedBy: problem === null ? undefined : `${id}-problem`,
          className: cx(styles.input),
        })}
        {unit === undefined ? null : <span className={styles.unit}>{unit}</span>}
      </span>
      {problem === null ? null : (
        <span id={`${id}-problem`} className={styles.problem} role="alert">
          {problem}
        </span>
      )}
    </div>
  )
}

export interface TextFieldProps {
  readonly label: string
  readonly hideLabel?: boolean
  readonly value: string
  readonly onChange: (value: string) => void
  readonly type?: 'text' | 'search'
  readonly placeholder?: string
  readonly inputMode?: HTMLAttributes<HTMLInputElement>['inputMode']
  readonly ref?: Ref<HTMLInputElement>
}

/** Text field that takes effect on each input. */
export function TextField({
  label,
  hideLabel,
  value,
  onChange,
  type = 'text',
  placeholder,
  inputMode,
  ref,
}: TextFieldProps): ReactNode {
  return (
    <FieldFrame label={label} hideLabel={hideLabel}>
      {({ inputId, className }) => (
        <input
          ref={ref}
          id={inputId}
          className={className}
          type={type}
          value={value}
          placeholder={placeholder}
          inputMode={inputMode}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </FieldFrame>
  )
}
