import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { requestOptions } from '../../capture/client/requests/queries.ts'
import { useCapture } from '../../capture/client/view.ts'
import type { Action, ActionCall } from '../model.ts'

/** Pause in typing, ms, after which the server is requested. */
const REST_MS = 300

/** Reads from the server, while the user types, why the calls must not be sent; null: no reason is known. */
export function useRefusal({ refuses }: Action, calls: readonly ActionCall[]): string | null {
  const text = JSON.stringify(calls.map(({ action, target, inputs }) => ({ action, target, inputs, facts: {} })))
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), REST_MS)
    return () => clearTimeout(timer)
  }, [text])
  const { data } = useQuery({
    ...requestOptions(useCapture(), 'actions.refusal', { calls: JSON.parse(settled) as ActionCall[] }),
    enabled: refuses !== undefined,
    staleTime: 0,
    gcTime: 0,
  })
  return settled === text ? (data ?? null) : null
}
