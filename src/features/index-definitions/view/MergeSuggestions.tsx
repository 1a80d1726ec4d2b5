import type { ReactNode } from 'react'
import { formatPlural } from '../../../base/text/format.ts'
import { DetailState } from '../../../capture/database-details/DetailState.tsx'
import { useDetail } from '../../../capture/database-details/useDetail.ts'
import type { IndexMerge, IndexMerges } from '../../../ravendb/databases/index-merge.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import type { DefinitionText } from '../contract.ts'
import { definitionText, wholeText } from '../definition-text.ts'
import styles from './indexes.module.css'

interface MergeSuggestionsProps {
  readonly database: string
  readonly onShow: (index: string) => void
  /** Opens a new index that starts with this definition. */
  readonly onBegin: (name: string, definition: DefinitionText) => void
}

/** Indexes that another index could replace, as suggested by the server. Requested once, and at “Refresh”. */
export function MergeSuggestions({ database, onShow, onBegin }: MergeSuggestionsProps): ReactNode {
  const requested = useDetail('databases.indexMerges', { database })
  const { response, error, isRequesting, renew } = requested
  return (
    <section className={styles.parts} aria-label={`Merge suggestions for ${database}`}>
      <div className="row">
        <h2>Merge suggestions</h2>
        <span className="push" />
        <Button small disabled={isRequesting} onClick={() => renew()}>
          Refresh
        </Button>
      </div>
      {error !== null || response?.loaded !== true ? (
        <DetailState requested={requested} database={database} what="Merge suggestions" />
      ) : (
        <Suggestions merges={response} onShow={onShow} onBegin={onBegin} />
      )}
    </section>
  )
}

interface SuggestionsProps extends Omit<MergeSuggestionsProps, 'database'> {
  readonly merges: IndexMerges
}

function Suggestions({ merges: { merges, covered, unmergeable }, onShow, onBegin }: SuggestionsProps): ReactNode {
  return (
    <>
      {merges.length === 0 && covered.length === 0 ? <p>The server suggests to merge nothing.</p> : null}
      {covered.length === 0 ? null : (
        <ul aria-label="Covered by another index">
          {covered.map(({ index, by }) => (
            <li key={index}>
              <IndexName name={index} onShow={onShow} /> can be deleted: <IndexName name={by} onShow={onShow} /> has all
              of its fields.
            </li>
          ))}
        </ul>
      )}
      {merges.map((merge) => (
        <Merge key={merge.indexes.join('|')} merge={merge} onShow={onShow} onBegin={onBegin} />
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

function Merge({
  merge: { indexes, collection, json },
  onShow,
  onBegin,
}: Omit<MergeSuggestionsProps, 'database'> & { readonly merge: IndexMerge }): ReactNode {
  const definition = definitionText(json)
  return (
    <article className="stack" aria-label={`Merge ${indexes.join(', ')}`}>
      <div className="row">
        <h3>
          {indexes.map((index, i) => (
            <span key={index}>
              {i === 0 ? '' : ' + '}
              <IndexName name={index} onShow={onShow} />
            </span>
          ))}
        </h3>
        <span className="push" />
        <Button small onClick={() => onBegin('', definition)}>
          Open as a new index
        </Button>
      </div>
      <p className="faint">
        One index{collection === null ? '' : ` on ${collection}`} could take their place. Save it under a name of its
        own, and delete these once it is up to date and queries name it.
      </p>
      <pre className={cx('raised', styles.text)} tabIndex={0} aria-label={`Merged definition of ${indexes.join(', ')}`}>
        {wholeText(definition)}
      </pre>
    </article>
  )
}

const IndexName = ({ name, onShow }: { readonly name: string } & Pick<MergeSuggestionsProps, 'onShow'>): ReactNode => (
  <button type="button" className={styles.error} onClick={() => onShow(name)}>
    <bdi>{name}</bdi>
  </button>
)
