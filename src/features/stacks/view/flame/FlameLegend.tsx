import type { ReactNode } from 'react'
import { useCanvasTokens } from '../../../../charts/canvas/tokens.ts'
import styles from './flame.module.css'
import { CATEGORY_LOOKS, framePalette } from './frame-styles.ts'
import { cx } from '../../../../ui/theme/cx.ts'

const CHANGES = [-1, -0.5, -0.2, 0, 0.2, 0.5, 1] as const

/** Legend of width, colour and keys, in place. */
export function FlameLegend({ id, compared }: { readonly id: string; readonly compared: boolean }): ReactNode {
  const tokens = useCanvasTokens()
  const palette = framePalette(tokens.theme, tokens.fg)
  return (
    <div id={id} className={cx('row', 'note', styles.legend)}>
      {compared ? (
        <span className={cx('inline', styles.scale)}>
          less or vanished{' '}
          <span className={styles.ramp} aria-hidden="true">
            {CHANGES.map((change) => (
              <span key={change} style={{ background: palette.changeOf(change) }} />
            ))}
          </span>{' '}
          more or new. Width: both sides together; each counts as a share of its own whole, and what vanished is
          hatched.
        </span>
      ) : (
        CATEGORY_LOOKS.map(({ category, title, meaning }) => (
          <span key={category} className={cx('inline', styles.legendItem)} title={meaning}>
            <span style={{ background: palette.fillOf(category) }} aria-hidden="true" /> {title}
          </span>
        ))
      )}
      <span className="note">
        Click or Enter: zoom. Wheel, + and −: zoom about the pointer. Drag, A and D: move. Arrows: callers, callees,
        neighbours. Esc: one step out, 0: all.
      </span>
    </div>
  )
}
