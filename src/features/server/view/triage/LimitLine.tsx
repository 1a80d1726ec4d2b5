import type { ReactNode } from 'react'
import type { Ticks } from '../../../../base/ticks.ts'
import type { Clock } from '../../../../base/text/format.ts'
import type { Bottleneck } from '../../contract/bottleneck.ts'
import { formatMoment } from '../words.ts'

const BEGINS: Readonly<Partial<Record<Bottleneck['label'], string>>> = {
  client: 'The server waits for its clients',
  none: 'No resource is at its limit',
  unknown: 'The bottleneck is not known',
}

/** What limits the server, since when, and by which figures, in a sentence. */
export function LimitLine({
  bottleneck: { label, title, startTicks, evidence, competing },
  nowTicks,
  clock,
}: {
  readonly bottleneck: Bottleneck
  readonly nowTicks: Ticks | null
  readonly clock: Clock
}): ReactNode {
  const also = competing.length === 0 ? '' : ` Also at its limit in that time: ${competing.join(' ')}`
  return (
    <p className="note" role="note" aria-label="Bottleneck">
      {BEGINS[label] ?? `${title} is the limit`} since {formatMoment(startTicks, nowTicks, clock)}
      {label === 'unknown' ? '.' : ':'} {evidence.join(' ')}
      {also}
    </p>
  )
}
