import { describeSince } from './words.ts'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { Ticks } from '../../../base/ticks.ts'
import type { Clock } from '../../../base/text/format.ts'
import { usePanelTitle } from '../../../capture/frame/panel.ts'
import { StateDot, type Tone } from '../../../ui/Badge.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import { Spinner } from '../../../ui/Progress.tsx'
import { LongText } from '../../../ui/LongText.tsx'
import type { TriageItem } from '../contract/findings.ts'
import type { FindingLink } from '../../../feeds/server/contract.ts'
import { partsOf } from './link-view.ts'
import { DatabaseLink } from '../../../capture/frame/DatabaseLink.tsx'
import { PanelLink } from '../../../capture/frame/PanelLink.tsx'
import styles from './list.module.css'

const FindingActions = lazy(() => import('./FindingActions.tsx').then((module) => ({ default: module.FindingActions })))

const LEVELS: Record<TriageItem['level'], { readonly tone: Tone; readonly title: string }> = {
  critical: { tone: 'error', title: 'Users are affected, or data is at risk.' },
  warning: { tone: 'warn', title: 'Users will be affected, or performance suffers.' },
  info: { tone: 'busy', title: 'For information.' },
}

const IndexErrorList = lazy(() =>
  import('../../../capture/database-details/IndexErrorList.tsx').then((module) => ({ default: module.IndexErrorList })),
)

const SlowIoHint = lazy(() => import('./SlowIoHint.tsx').then((module) => ({ default: module.SlowIoHint })))

/** Rules about slow writes; the server's own hint is shown beside their findings. */
const OF_WRITES: ReadonlySet<string> = new Set(['held-up-commits', 'slow-writes'])

interface TriageListProps {
  readonly items: readonly TriageItem[]
  readonly nowTicks: Ticks | null
  readonly clock: Clock
  /** Further links beside the main one. */
  readonly waysOf?: (item: TriageItem) => ReactNode
}

/** Lists findings, each with its start, evidence, reason, and a link to the panel that shows more. */
export function TriageList({ items, nowTicks, clock, waysOf }: TriageListProps): ReactNode {
  if (items.length === 0) return null
  return (
    <ol className="stack">
      {items.map((item) => {
        const level = LEVELS[item.level]
        // Some alerts of the server have the same text as title and as message.
        const evidence = item.evidence.filter((fact) => fact !== item.title)
        const database = databaseOf(item)
        return (
          <li key={item.id} className={cx('raised', styles.item, styles[item.level])}>
            <span className={styles.level} title={level.title}>
              <StateDot tone={level.tone}>{item.level}</StateDot>
            </span>
            <div className={styles.text}>
              <h2 className="large">
                <LongText text={item.title} isInline />
              </h2>
              {evidence.length === 0 ? null : (
                <ul className={cx('wrap', styles.evidence)}>
                  {evidence.map((fact) => (
                    <li key={fact}>
                      <LongText text={fact} isInline />
                    </li>
                  ))}
                </ul>
              )}
              {item.errorsOf === undefined ? null : <FirstErrors errorsOf={item.errorsOf} clock={clock} />}
              {waysOf !== undefined || database === null || !OF_WRITES.has(item.rule) ? null : (
                <Suspense fallback={null}>
                  <SlowIoHint database={database} nowTicks={nowTicks} clock={clock} />
                </Suspense>
              )}
              {item.reason === null ? null : <p className="note">{item.reason}</p>}
            </div>
            <div className={cx('stack', styles.way)}>
              {/* A single moment shows of few findings since when they hold. */}
              {waysOf !== undefined && item.sinceTicks === null ? null : (
                <p className={cx('note', styles.since)}>{describeSince(item, nowTicks, clock)}</p>
              )}
              <Way link={item.link} />
              {database === null ? null : <DatabaseLink name={database} />}
              {waysOf?.(item)}
              {item.actsOn === undefined ? null : (
                <Suspense fallback={null}>
                  <FindingActions actsOn={item.actsOn} nowTicks={nowTicks} clock={clock} />
                </Suspense>
              )}
            </div>
          </li>
        )
      })}
    </ol>
  )
}

/**
 * The only database of a finding, for a second link to its page. Null: there is none, or the first link opens that
 * page.
 */
function databaseOf({ actsOn, errorsOf, link }: TriageItem): string | null {
  if (link.panel === 'database') return null
  const [source] = link.sources.length === 1 ? link.sources : []
  return actsOn?.database ?? errorsOf?.database ?? (source?.startsWith('db:') === true ? source.slice(3) : null)
}

const FIRST_ERRORS = 5

interface FirstErrorsProps {
  readonly errorsOf: NonNullable<TriageItem['errorsOf']>
  readonly clock: Clock
}

/** The newest errors of a finding's indexes, requested when opened. */
function FirstErrors({ errorsOf: { database, indexes }, clock }: FirstErrorsProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>First errors</summary>
      {isOpen ? (
        <Suspense fallback={<Spinner>Loading</Spinner>}>
          <IndexErrorList database={database} indexes={indexes} clock={clock} first={FIRST_ERRORS} />
        </Suspense>
      ) : null}
    </details>
  )
}

function Way({ link }: { readonly link: FindingLink }): ReactNode {
  const name = usePanelTitle(link.panel)
  return (
    <PanelLink panel={link.panel} parts={partsOf(link)}>
      {link.range === null ? `Open ${name}` : `Open ${name} at that time`}
    </PanelLink>
  )
}
