import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { cx } from '../theme/cx.ts'
import { Icon } from '../Icon.tsx'
import type { IconName } from '../Icon.tsx'
import styles from './Button.module.css'

type Native = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type' | 'children' | 'className'>

export interface ButtonProps extends Native {
  readonly children: ReactNode
  readonly icon?: IconName
  /** `primary`: the next step of a view; `quiet`: without a frame until hovered. */
  readonly tone?: 'plain' | 'primary' | 'quiet'
  readonly small?: boolean
  /** Submits its form. */
  readonly submits?: boolean
  readonly ref?: Ref<HTMLButtonElement>
}

export function Button({
  children,
  icon,
  tone = 'plain',
  small = false,
  submits = false,
  ...native
}: ButtonProps): ReactNode {
  return (
    <button
      {...native}
      type={submits ? 'submit' : 'button'}
      className={cx('raised', 'inline', styles.button, styles[tone], small && styles.small)}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </button>
  )
}

export interface IconButtonProps extends Native {
  /** Accessible name and tooltip. */
  readonly label: string
  readonly icon: IconName
  readonly small?: boolean
}

export function IconButton({ label, icon, small = false, ...native }: IconButtonProps): ReactNode {
  return (
    <button
      title={label}
      {...native}
      type="button"
      aria-label={label}
      className={cx('raised', 'inline', styles.button, styles.quiet, styles.icon, small && styles.small)}
    >
      <Icon name={icon} />
    </button>
  )
}
