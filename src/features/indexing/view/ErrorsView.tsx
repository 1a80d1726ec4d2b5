import { lazy, Suspense, type ReactNode } from 'react'
import { formatCount, formatPlural, type Clock } from '../../../base/text/format.ts'
import { Spinner } from '../../../ui/Progress.tsx'
import { splitIndexKey } from '../../../feeds/indexing/contract/batch-ref.ts'
import styles from './panel.module.css'
import type { IndexKey } from '../../../feeds/indexing/contract/batches.ts'
import type { IndexInfo } from '../../../feeds/indexing/contract/indexes.ts'

const IndexErrorList = lazy(() =>
  import('../../../capture/database-details/IndexErrorList.tsx').then((module) => ({ default: module.IndexErrorList })),
)

interface ErrorsViewProps {
  readonly indexes: readonly IndexInfo[]
  /** Index whose errors are shown; null: all indexes. */
  readonly focus: IndexKey | null
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
  readonly clock: Clock
}

/** Stored errors of indexes in the watched databases, requested only while open: it may be large. */
export function ErrorsView({ indexes, focus, isOpen, onOpen, clock }: ErrorsViewProps): ReactNode {
  const databases = [...new Set(indexes.map(({ source }) => source))].filter((source) => source.startsWith('db:'))
  const counts = indexes.map(({ facts }) => facts?.errorsCount ?? 0)
  const count = counts.reduce((sum, each) => sum + each, 0)
  const failing = counts.filter((each) => each > 0).length
  // A link may open the errors before their number is known.
  if (databases.length === 0 || (count === 0 && !isOpen)) return null
  const focused = focus === null ? null : splitIndexKey(focus)
  const shown = focused === null ? databases : databases.filter((source) => source === focused.source)
  return (
    <details
      className={styles.errors}
      open={isOpen}
      onToggle={(event) => {
        if (event.currentTarget.open !== isOpen) onOpen(event.currentTarget.open)
      }}
    >
      <summary>
        Errors{count === 0 ? '' : `: ${formatCount(count)} in ${formatPlural(failing, 'index', 'indexes')}`}
        {focused === null ? null : (
          <>
            , shown of <bdi>{focused.name}</bdi>
          </>
        )}
      </summary>
      {isOpen ? (
        <Suspense fallback={<Spinner>Loading</Spinner>}>
          {shown.map((source) => (
            <div key={source} className={styles.errorList}>
              {shown.length > 1 ? <h3>{source.slice('db:'.length)}</h3> : null}
              <IndexErrorList
                database={source.slice('db:'.length)}
                indexes={focused === null ? [] : [focused.name]}
                clock={clock}
              />
            </div>
          ))}
        </Suspense>
      ) : null}
    </details>
  )
}
