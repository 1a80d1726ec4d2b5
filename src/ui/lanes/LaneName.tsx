import type { ReactNode } from 'react'
import { Icon, type IconName } from '../Icon.tsx'
import { cx } from '../theme/cx.ts'
import styles from './LaneName.module.css'

export interface LaneNameProps {
  /** `source` is a source or group above lanes, `part` a part of a lane, `leaf` a row without parts. */
  readonly level: 'source' | 'lane' | 'part' | 'leaf'
  readonly title: string
  readonly children: string
  /** Left out: the name is not a button. */
  readonly onToggle?: () => void
  readonly expanded?: boolean
  /** Puts the name at the top of an open lane, which is higher than its name. */
  readonly isTop?: boolean
  readonly icon?: IconName
  readonly swatch?: ReactNode
  /** The name was derived, not reported by the server. */
  readonly isGuess?: boolean
  /** Figures at the end of the line. */
  readonly figures?: ReactNode
}

/** Name of a lane beside its plot; can be folded if the lane has parts. */
export function LaneName(props: LaneNameProps): ReactNode {
  const { level, title, onToggle, icon } = props
  const className = cx('line', styles.name, styles[level], props.isTop === true && styles.top)
  const content = (
    <>
      {onToggle === undefined ? null : (
        <span className={styles.chevron}>
          <Icon name="chevron" sizePx={12} />
        </span>
      )}
      {icon === undefined ? null : <Icon name={icon} sizePx={13} />}
      {props.swatch}
      <span className={cx(styles.words, props.isGuess === true && styles.guess)}>
        <bdi>{props.children}</bdi>
      </span>
      {props.figures}
    </>
  )
  if (onToggle === undefined)
    return (
      <span className={className} title={title}>
        {content}
      </span>
    )
  return (
    <button type="button" className={className} aria-expanded={props.expanded} onClick={onToggle} title={title}>
      {content}
    </button>
  )
}

interface NameFigureProps {
  readonly children: ReactNode
  readonly isTrouble?: boolean
}

/** A figure or state at the end of a name. */
export function NameFigure({ children, isTrouble = false }: NameFigureProps): ReactNode {
  return <span className={cx(styles.figure, isTrouble && styles.trouble)}>{children}</span>
}
