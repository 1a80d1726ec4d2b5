import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { formatCount, formatTime } from '../../../base/text/format.ts'
import { ticksFromMs } from '../../../base/ticks.ts'
import type { ResponseOf } from '../../../capture/client/requests/requests.ts'
import { errorInfoOf, requestOptions } from '../../../capture/client/requests/queries.ts'
import { useCapture, useView } from '../../../capture/client/view.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { ErrorNotice, Notice } from '../../../ui/Notice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import type { DefinitionText } from '../contract.ts'
import { DeletedIndex, UnsavedDefinition } from './DeletedIndex.tsx'
import { IndexPage } from './IndexPage.tsx'

/**
 * Interval, ms, and maximum number of reads of a definition while its replacement is built. They are limited because
 * each read counts as use of the database.
 */
const REPLACED_WITHIN_MS = 2000
const MOST_READS = 60

interface SavedIndexProps {
  readonly server: string
  readonly database: string
  readonly index: string
  readonly others: readonly string[]
  readonly errors: number
  readonly isStale: boolean
  /** Whether the server's list of indexes has it; null: the list is not known. */
  readonly isListed: boolean | null
  readonly onSaved: (name: string) => void
  readonly onBegin: (name: string, definition: DefinitionText) => void
}

/** A saved index: its definition is read once, and again while its replacement is built. */
export function SavedIndex(props: SavedIndexProps): ReactNode {
  const { server, database, index, others, errors, isStale, isListed, onSaved, onBegin } = props
  const { clock } = useView().view
  const [most, setMost] = useState(MOST_READS)
  // The list is a few seconds older than an index that was just saved.
  const [wasListed, setWasListed] = useState(false)
  if (isListed === true && !wasListed) setWasListed(true)
  const options = requestOptions(useCapture(), 'definitions.read', { database, index })
  // Using `dataUpdatedAt` causes a render at each response, even an equal one, so that the number of reads is up to
  // date.
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    ...options,
    staleTime: 0,
    // Until the replacement is built, the server reports the previous definition. A list shows that the database has
    // been loaded since the definition was requested.
    refetchInterval: ({ state: { data: read, dataUpdateCount } }) =>
      (read?.loaded === false ? isListed !== null : isReplaced(read) && dataUpdateCount < most)
        ? REPLACED_WITHIN_MS
        : false,
  })
  const reads = useQueryClient().getQueryState(options.queryKey)?.dataUpdateCount ?? 0
  // A later reading that fails, or finds the database unloaded, leaves the editor with what is typed.
  const [last, setLast] = useState(data?.loaded === true ? data : null)
  if (data?.loaded === true && data !== last) setLast(data)
  const info = errorInfoOf('definitions.read', error)
  const place = { kind: 'index', server, database, id: index } as const
  if (last === null && info !== null)
    return (
      <>
        <ErrorNotice error={info} actions={<Button onClick={() => void refetch()}>Try again</Button>} />
        <UnsavedDefinition place={place} />
      </>
    )
  if (last === null && data === undefined) return <Spinner>Reading the definition</Spinner>
  // The list above says why there is nothing to read.
  if (last === null)
    return isListed === null ? <UnsavedDefinition place={place} /> : <Spinner>Reading the definition</Spinner>
  if (last.definition === null) return <DeletedIndex place={place} onBegin={onBegin} />
  return (
    <>
      {wasListed && isListed === false ? (
        <Notice
          tone="warn"
          title={`The index “${index}” is not in the server’s list any more.`}
          actions={<Button onClick={() => void refetch()}>Read again</Button>}
        >
          <p>It may have been deleted or renamed. What is typed here is kept.</p>
        </Notice>
      ) : null}
      {info === null ? null : (
        <ErrorNotice error={info} tone="warn" actions={<Button onClick={() => void refetch()}>Read again</Button>} />
      )}
      {isReplaced(last) && reads >= most ? (
        <Notice
          tone="info"
          title="The replacement of this index is still being built."
          actions={<Button onClick={() => setMost(reads + MOST_READS)}>Read again</Button>}
        >
          <p>
            It was read {formatCount(reads)} times, the last time at {formatTime(ticksFromMs(dataUpdatedAt), clock, 0)}.
            Each read counts as use of the database.
          </p>
        </Notice>
      ) : null}
      <IndexPage
        server={server}
        database={database}
        index={index}
        saved={last.definition}
        others={others}
        errors={errors}
        isStale={isStale}
        onSaved={(name) => {
          void refetch()
          onSaved(name)
        }}
        onReread={() => void refetch()}
        onBegin={onBegin}
      />
    </>
  )
}

const isReplaced = (read: ResponseOf<'definitions.read'> | undefined): boolean =>
  read?.loaded === true && read.definition?.replacement != null
