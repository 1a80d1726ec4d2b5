import type { ReactNode } from 'react'
import { formatPlural } from '../../../../base/text/format.ts'
import { DetailState } from '../../../../capture/details/DetailState.tsx'
import { useDetail } from '../../../../capture/details/useDetail.ts'
import type { IndexMerge, IndexMerges } from '../../../../ravendb/databases/index-merge.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { IndexSource } from './IndexCode.tsx'
import styles from './indexes.module.css'
import { cx } from '../../../../ui/theme/cx.ts'

/** Which indexes one could take the place of, as the server suggests it. It is asked once, and at “Refresh”. */
export function MergeSuggestions({ database }: { readonly database: string }): ReactNode {
  const asked = useDetail('databases.indexMerges', { database })
  const { response, error, isAsking, renew } = asked
  return (
    <section className={cx('stack', styles.definition)} aria-label={`Merge suggestions for ${database}`}>
      <div className={cx('row', styles.definitionHead)}>
        <h3>
          Merge suggestions for <bdi>{database}</bdi>
        </h3>
        <Button small disabled={isAsking} onClick={() => renew()}>
          Refresh
        </Button>
      </div>
      {error !== null || response?.loaded !== true ? (
        <DetailState asked={asked} database={database} what="Merge suggestions" />
      ) : (
        <Suggestions merges={response} />
      )}
    </section>
  )
}

function Suggestions({ merges: { merges, covered, unmergeable } }: { readonly merges: IndexMerges }): ReactNode {
  return (
    <>
      {merges.length === 0 && covered.length === 0 ? <p>The server suggests to merge nothing.</p> : null}
      {covered.length === 0 ? null : (
        <ul aria-label="Covered by another index">
          {covered.map(({ index, by }) => (
            <li key={index}>
              <bdi>{index}</bdi> can be deleted: <bdi>{by}</bdi> has all of its fields.
            </li>
          ))}
        </ul>
      )}
      {merges.map((merge) => (
        <Merge key={merge.indexes.join('|')} merge={merge} />
      ))}
      {unmergeable.length === 0 ? null : (
        <details>
          <summary>{formatPlural(unmergeable.length, 'index', 'indexes')} that cannot be merged</summary>
          <ul>
            {unmergeable.map(({ index, reason }) => (
              <li key={index}>
                <bdi>{index}</bdi>: <bdi>{reason}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function Merge({ merge: { indexes, collection, maps, reduce, json } }: { readonly merge: IndexMerge }): ReactNode {
  return (
    <article className={cx('stack', styles.merge)} aria-label={`Merge ${indexes.join(', ')}`}>
      <div className={cx('row', styles.definitionHead)}>
        <h4>
          {indexes.map((index, i) => (
            <span key={index}>
              {i === 0 ? '' : ' + '}
              <bdi>{index}</bdi>
            </span>
          ))}
        </h4>
        <CopyButton label="Copy as JSON" text={() => json} />
      </div>
      <p className="faint">
        One index{collection === null ? '' : ` on ${collection}`} could take their place. Create it from the definition
        under a name of its own, and delete these once it is up to date and queries name it.
      </p>
      <IndexSource maps={maps} reduce={reduce} />
    </article>
  )
}
