import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { requestOptions } from '../../../capture/client/requests/queries.ts'
import { useCapture } from '../../../capture/client/view.ts'
import type { QueryText } from '../contract.ts'
import { unknownCollection } from './unknown-collection.ts'
import { NEW_MS } from './useNames.ts'

interface NoSuchCollectionProps {
  readonly query: QueryText
  /** End of the run that found nothing. */
  readonly endedMs: number
}

/**
 * Says that the collection of a query without results was not among those that the editor read shortly before the run,
 * or since. Nothing is requested, so another client may have made it meanwhile.
 */
export function NoSuchCollection({ query: { database, text }, endedMs }: NoSuchCollectionProps): ReactNode {
  const { data, dataUpdatedAt } = useQuery({
    ...requestOptions(useCapture(), 'query.names', { database }),
    enabled: false,
  })
  const name = data?.loaded === true && endedMs - dataUpdatedAt < NEW_MS ? unknownCollection(text, data) : null
  return name === null ? null : (
    <p className="note" role="status">
      There was no collection “<bdi>{name}</bdi>” when the collections were last read.
    </p>
  )
}
