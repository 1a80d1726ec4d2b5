import { formatMoment } from '../../../base/text/figures.ts'
import type { ReactNode } from 'react'
import type { Ticks } from '../../../base/ticks.ts'
import type { Clock } from '../../../base/text/format.ts'
import type { Bottleneck } from '../../../feeds/server/contract.ts'
import { RunningText } from '../../../ui/RunningText.tsx'

const BEGINS: Readonly<Partial<Record<Bottleneck['label'], string>>> = {
  client: 'The server waits for its clients',
  none: 'No resource is at its limit',
  unknown: 'The bottleneck is not known',
}

/** Sentence with the server's bottleneck, its start and its first figure; a click shows the other figures. */
export function LimitLine({
  bottleneck: { label, title, startTicks, evidence, competing },
  nowTicks,
  clock,
}: {
  readonly bottleneck: Bottleneck
  readonly nowTicks: Ticks | null
  readonly clock: Clock
}): ReactNode {
  const [first = '', ...others] = evidence
  const more = competing.length === 0 ? others : [...others, `Also at its limit in that time: ${competing.join(' ')}`]
  return (
    <div className="note" role="note" aria-label="Bottleneck">
      <p>
        {BEGINS[label] ?? `${title} is the limit`} since {formatMoment(startTicks, nowTicks, clock)}
        {label === 'unknown' ? '.' : ':'} <RunningText text={first} />
      </p>
      {more.length === 0 ? null : (
        <details>
          <summary>How is this judged</summary>
          {more.map((fact) => (
            <p key={fact}>{fact}</p>
          ))}
        </details>
      )}
    </div>
  )
}
