import { useEffect, useState } from 'react'
import type { RequestsLike, ResponseOf } from './requests.ts'
import { useRequest, type Requested } from './useRequest.ts'
import { useNow } from '../../../ui/hooks/now.ts'

type TimedRequest = RequestsLike<null, object>

/** Interval, ms, and number of requests while the first figures are awaited. */
const EARLY_EVERY_MS = 100
const MOST_EARLY = 30

/**
 * Requests at the page's clock, at most one at a time; more often during the first seconds, until the response
 * `isComplete`: figures arrive some tenths of a second after the page requested them.
 */
export function useEverySecond<Name extends TimedRequest>(
  name: Name,
  seconds = 1,
  isComplete: (response: ResponseOf<Name>) => boolean = () => true,
): Requested<Name> {
  const [early, setEarly] = useState(0)
  const version = Math.floor(useNow() / 1000 / seconds) * (MOST_EARLY + 1) + early
  const requested = useRequest<Name>(name, null, { version, everyMs: EARLY_EVERY_MS })
  const { response } = requested
  const isEarly = early < MOST_EARLY && (response === null || !isComplete(response))
  useEffect(() => {
    if (!isEarly) return
    const timer = setTimeout(() => setEarly(early + 1), EARLY_EVERY_MS)
    return () => clearTimeout(timer)
  }, [isEarly, early])
  return requested
}
