import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { requestOptions } from '../../capture/client/requests/queries.ts'
import { useCapture } from '../../capture/client/view.ts'
import type { Action, ActionCall } from '../model.ts'

/** Typing rests for so long before the server is requested, ms. */
const REST_MS = 300

/** Why the server must not get the calls as they are filled in, read from it while the user types; null: nothing is known. */
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
