import type { ReactNode } from 'react'
import { formatCount, formatDateTime, formatDuration, formatPlural } from '../../../../base/text/format.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import { FactLines } from '../../../../ui/FactLines.tsx'
import styles from '../../../../ui/card.module.css'
import { HoverFacts, type HoverFactsProps } from '../details/HoverFacts.tsx'
import { kindLook } from '../timeline/kinds.ts'
import type { CellHit, HeatHit } from './hits.ts'
import { cx } from '../../../../ui/theme/cx.ts'

/** Facts about the cell or mark under the pointer of the heat map. */
export function HeatFacts({ hit, ...props }: Omit<HoverFactsProps, 'hit'> & { readonly hit: HeatHit }): ReactNode {
  if (hit.type !== 'cell') return <HoverFacts hit={hit} {...props} />
  const { startTicks, endTicks, kinds, slowest } = hit
  const all = kinds.reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      <p className={cx('line', styles.title)}>
        {formatPlural(all, 'event')} of {durationsOf(hit)}
      </p>
      <FactLines
        lines={[
          ['From', formatDateTime(startTicks as Ticks, props.clock, 3)],
          ['To', formatDateTime(endTicks as Ticks, props.clock, 3)],
          ...kinds.map(({ kind, count }) => [kindLook(kind).title, formatCount(count)] as const),
          ['Slowest in this time', `${formatDuration(slowest.durationTicks)}, ${kindLook(slowest.ref.kind).one}`],
        ]}
      />
      <p className={styles.hint}>Click pins the slowest</p>
    </>
  )
}

const durationsOf = ({ fromTicks, toTicks }: CellHit): string =>
  fromTicks === null
    ? `less than ${formatDuration(toTicks ?? 0)}`
    : toTicks === null
      ? `${formatDuration(fromTicks)} or more`
      : `${formatDuration(fromTicks)} to ${formatDuration(toTicks)}`
