import { useMemo } from 'react'
import type { CompletionSource } from '@codemirror/autocomplete'
import { useQueryClient } from '@tanstack/react-query'
import { requestOptions } from '../../../capture/client/requests/queries.ts'
import { useCapture } from '../../../capture/client/view.ts'
import { completeRql } from './completion.ts'

/** Maximum age of names, ms. While the user types, each kind of name is requested at most once in that time. */
export const NEW_MS = 60_000

/** Completion with the names of a database, requested at the first one; it does not load the database. */
export function useCompletion(database: string): CompletionSource {
  const capture = useCapture()
  const queries = useQueryClient()
  return useMemo(
    () =>
      completeRql({
        names: async () => {
          const options = requestOptions(capture, 'query.names', { database })
          const names = await queries.query({ ...options, staleTime: NEW_MS }).catch(() => null)
          return names?.loaded === true ? names : null
        },
        fields: async ({ kind, name }) => {
          const options = requestOptions(capture, 'query.fields', { database, kind, name })
          const known = await queries.query({ ...options, staleTime: NEW_MS }).catch(() => null)
          return known?.loaded === true ? known.fields : []
        },
      }),
    [capture, queries, database],
  )
}
