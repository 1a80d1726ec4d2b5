import { useEffect, useState } from 'react'
import { useCapture } from './view.ts'

/**
 * Asks at once and then every `everyMs` while it is rendered, for what must be told again and again, such as that
 * something is still looked at. A failure leaves the answer before; null: none yet.
 * What it is the caller knows by the name.
 */
export function useRepeatedAsk(name: string, everyMs: number): unknown {
  const capture = useCapture()
  const [answer, setAnswer] = useState<unknown>(null)
  useEffect(() => {
    const stop = new AbortController()
    const ask = (): void => void capture.ask<unknown>(name, null, stop.signal).then(setAnswer, () => undefined)
    ask()
    const timer = setInterval(ask, everyMs)
    return () => {
      stop.abort()
      clearInterval(timer)
    }
  }, [capture, name, everyMs])
  return answer
}
