import type { ReactNode } from 'react'
import { cx } from '../../../ui/theme/cx.ts'
import { chosenKey } from './chosen.ts'
import type { LaneLook } from './lane.ts'
import styles from './lanes.module.css'
import type { Composed } from './useComposed.ts'

/** Legend of the colours, lane by lane. */
export function LaneLegend({ composed }: { readonly composed: Composed }): ReactNode {
  const { lanes, definitions, readings } = composed
  return (
    <section aria-label="Legend" className={styles.legend}>
      {lanes.map((chosen) => {
        const definition = definitions.get(chosen.id) ?? null
        const looks = readings.get(chosenKey(chosen))?.data?.legend ?? []
        return definition === null ? null : (
          <div key={chosenKey(chosen)}>
            <b>{composed.titleOf(chosen)}</b>
            <span className="note"> {definition.explains}</span>
            {looks.length === 0 ? null : (
              <ul className={cx('bare', styles.looks)}>
                {looks.map((look) => (
                  <li key={look.title}>
                    <LookSwatch look={look} /> {look.title}
                  </li>
                ))}
              </ul>
            )}
          </div>
        )
      })}
    </section>
  )
}

/** Hue and pattern of a mark. */
export const LookSwatch = ({ look: { token, pattern } }: { readonly look: LaneLook }): ReactNode => (
  <span
    className={styles.swatch}
    data-pattern={pattern}
    style={{ ['--hue' as string]: `var(${token})` }}
    aria-hidden="true"
  />
)
