import { useState, type ReactNode } from 'react'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { LateError } from '../../../../capture/frame/notices/LateError.tsx'
import { NoSuchDatabase, UnlessClosed } from '../../../../capture/frame/notices/UnlessClosed.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { ErrorNotice, Notice } from '../../../../ui/Notice.tsx'
import { Spinner } from '../../../../ui/Progress.tsx'
import { useNow } from '../../../../ui/hooks/now.ts'
import styles from '../documents.module.css'
import { openDocument, useOpen } from '../useOpen.ts'
import { CollectionList } from './CollectionList.tsx'
import { DocumentTable } from './DocumentTable.tsx'

/** Interval of reading the collections, ms. A database without other activity is not requested again (`touches.ts`). */
const EVERY_MS = 10_000

/** Collections, and the documents of one of them. A database that is not loaded is loaded only at a click. */
export function DocumentList({ database }: { readonly database: string }): ReactNode {
  const [mayLoad, setMayLoad] = useState(false)
  const { settings, go } = useOpen()
  const { collection, prefix } = settings
  const step = Math.floor(useNow() / EVERY_MS)
  const { response, error } = useRequest(
    'documents.collections',
    { database, ...(mayLoad ? { mayLoad } : {}) },
    { version: step, everyMs: 1000, changedEveryMs: 0 },
  )
  // Later requests must not keep the database loaded: `mayLoad` applies only until the first response.
  if (mayLoad && response !== null) setMayLoad(false)
  if (response === null && error?.kind === 'database-unloaded')
    return (
      <UnlessClosed database={database}>
        <Notice
          tone="info"
          title={`“${database}” is not loaded.`}
          actions={
            <Button tone="primary" onClick={() => setMayLoad(true)}>
              Load and browse
            </Button>
          }
        >
          <p>
            Browsing its documents loads it: the server opens its files and starts its indexes. Nothing was requested
            yet.
          </p>
        </Notice>
      </UnlessClosed>
    )
  if (response === null && error?.kind === 'database-missing') return <NoSuchDatabase message={error.message} />
  if (response === null)
    return error === null ? <Spinner>Reading the collections …</Spinner> : <ErrorNotice error={error} />
  const known = response.collections.find(({ name }) => name.toLowerCase() === collection?.toLowerCase())
  // A collection that is gone must not become the list of all documents.
  const chosen = known?.name ?? collection
  const expected = collection === null ? response.documents : (known?.documents ?? 0)
  return (
    <>
      <LateError error={error} />
      <div className={styles.split}>
        <CollectionList
          collections={response}
          chosen={prefix === '' ? chosen : null}
          onChoose={(name) => go({ collection: name, prefix: '' })}
        />
        <DocumentTable
          key={`${chosen ?? ''} ${prefix}`}
          database={database}
          collection={chosen}
          prefix={prefix}
          expected={expected}
          onOpen={(id) => go(openDocument(id))}
        />
      </div>
    </>
  )
}
