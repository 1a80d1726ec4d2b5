import type { ReactNode } from 'react'
import { formatDateTime, UNKNOWN } from '../../base/text/format.ts'
import { parseTicks } from '../../base/ticks.ts'
import { useView } from '../client/view.ts'

/** A time of the server, with its original text as the tooltip. */
export function ServerTime({ at }: { readonly at: string }): ReactNode {
  const { clock } = useView().view
  const ticks = parseTicks(at)
  return (
    <time dateTime={at} title={at} className="cut">
      {Number.isFinite(ticks) ? formatDateTime(ticks, clock, 0) : at === '' ? UNKNOWN : at}
    </time>
  )
}
