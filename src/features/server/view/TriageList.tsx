import type { ReactNode } from 'react'
import type { Ticks } from '../../../base/brand.ts'
import type { Clock } from '../../../base/format.ts'
import { StateDot, type Tone } from '../../../ui/Badge.tsx'
import { cx } from '../../../ui/cx.ts'
import type { TriageItem, TriageLink } from '../queries.ts'
import { panelName, partsOf } from './panel-names.ts'
import { PanelLink } from './PanelLink.tsx'
import styles from './triage.module.css'
import { describeSince } from './words.ts'

const LEVELS: Record<TriageItem['level'], { readonly tone: Tone; readonly word: string; readonly title: string }> = {
  harm: { tone: 'error', word: 'harm', title: 'Something fails or stands still.' },
  danger: { tone: 'warn', word: 'danger', title: 'Something soon will fail or stand still.' },
  notice: { tone: 'busy', word: 'notice', title: 'Worth knowing; nothing fails.' },
}

/** Each with since when, evidence, why it matters, and a link to where more of it is seen. */
export function TriageList({
  items,
  nowTicks,
  clock,
}: {
  readonly items: readonly TriageItem[]
  readonly nowTicks: Ticks | null
  readonly clock: Clock
}): ReactNode {
  if (items.length === 0) return null
  return (
    <ol className={styles.items}>
      {items.map((item) => {
        const level = LEVELS[item.level]
        // The server words some alerts twice alike.
        const evidence = item.evidence.filter((fact) => fact !== item.title)
        return (
          <li key={item.id} className={cx(styles.item, styles[item.level])}>
            <span className={styles.level} title={level.title}>
              <StateDot tone={level.tone}>{level.word}</StateDot>
            </span>
            <div className={styles.text}>
              <h2 className={styles.title}>
                <bdi>{item.title}</bdi>
              </h2>
              {evidence.length === 0 ? null : (
                <ul className={styles.evidence}>
                  {evidence.map((fact) => (
                    <li key={fact}>
                      <bdi>{fact}</bdi>
                    </li>
                  ))}
                </ul>
              )}
              {item.reason === null ? null : <p className={styles.reason}>{item.reason}</p>}
            </div>
            <div className={styles.way}>
              <p className={styles.since}>{describeSince(item, nowTicks, clock)}</p>
              <Way link={item.link} />
            </div>
          </li>
        )
      })}
    </ol>
  )
}

function Way({ link }: { readonly link: TriageLink }): ReactNode {
  const name = panelName(link.panel)
  return (
    <PanelLink panel={link.panel} parts={partsOf(link)}>
      {link.range === null ? `Open ${name}` : `Open ${name} at that time`}
    </PanelLink>
  )
}
