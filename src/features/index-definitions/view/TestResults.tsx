import type { ReactNode } from 'react'
import { indented } from '../../../base/json/exact.ts'
import { formatPlural } from '../../../base/text/format.ts'
import { cx } from '../../../ui/theme/cx.ts'
import type { TestOutcome } from '../contract.ts'
import styles from './indexes.module.css'

const MOST = 50

/** Shows the result of indexing a sample of documents. */
export function TestResults({
  tested: { entries, mapped, reduced },
}: {
  readonly tested: Extract<TestOutcome, { readonly outcome: 'tested' }>
}): ReactNode {
  const lists = [
    { title: 'Index entries', items: entries },
    { title: 'Map results', items: mapped },
    { title: 'Reduce results', items: reduced },
  ].filter(({ items }) => items.length > 0)
  return (
    <section className="stack" aria-label="Test of the index">
      <p role="status">
        {entries.length === 0
          ? 'No entry came of the sample: no document matches, or the map fails for each. The server does not say which.'
          : `It compiles, and made ${formatPlural(entries.length, 'entry', 'entries')} from the sample. Nothing was saved.`}
      </p>
      {lists.map(({ title, items }, i) => (
        <details key={title} open={i === 0}>
          <summary>
            {title}: {items.length}
            {items.length > MOST ? `, the first ${MOST}` : ''}
          </summary>
          <pre className={cx('raised', styles.text)} tabIndex={0}>
            {indented(`[${items.slice(0, MOST).join(',')}]`)}
          </pre>
        </details>
      ))}
    </section>
  )
}
