import { useState, type ReactNode } from 'react'
import { formatPlural } from '../../../../base/text/format.ts'
import { cx } from '../../../../ui/theme/cx.ts'
import type { IndexInfo } from '../../../../feeds/indexing/contract/indexes.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import list from '../../../../ui/side-list.module.css'
import styles from './side.module.css'
import { indexName } from '../words.ts'

const WORDS = {
  faulty: 'The server could not open it: it indexes nothing, and queries on it fail.',
  error: 'It is in the state of error and has stopped indexing.',
  gone: 'It existed, and the server no longer reports it.',
} as const

/** Number of indexes shown first: the list is above the timeline on a narrow page. */
const SHOWN = 3

interface TroubleListProps {
  readonly indexes: readonly IndexInfo[]
  readonly manySources: boolean
}

/** Indexes with problems, and events of other indexes while watched; empty if there are neither. */
export function TroubleList({ indexes, manySources }: TroubleListProps): ReactNode {
  const reported = indexes.filter((index) => index.trouble !== null || index.note !== '')
  const [isWhole, setIsWhole] = useState(false)
  if (reported.length === 0) return null
  const more = reported.length - SHOWN
  return (
    <section className={cx('raised', 'column', list.list, list.short)} aria-label="Faulty and changed indexes">
      <div className={cx('row tight', list.heading)}>
        <h2>Faulty and changed</h2>
      </div>
      {(isWhole ? reported : reported.slice(0, SHOWN)).map((index) => (
        <div key={index.key} className={styles.trouble}>
          <b>
            <bdi>{indexName({ source: index.source, indexName: index.name }, manySources)}</bdi>
          </b>
          {index.trouble === null ? null : <p>{WORDS[index.trouble]}</p>}
          {index.note === '' ? null : <p>{index.note}</p>}
          {index.facts?.errorsCount == null || index.facts.errorsCount === 0 ? null : (
            <p>{formatPlural(index.facts.errorsCount, 'error')} kept by the server.</p>
          )}
        </div>
      ))}
      {more <= 0 ? null : (
        <div className={styles.trouble}>
          <Button small tone="quiet" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
            {isWhole ? `Show only ${SHOWN}` : `and ${formatPlural(more, 'other')}`}
          </Button>
        </div>
      )}
    </section>
  )
}
