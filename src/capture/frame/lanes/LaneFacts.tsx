import type { ReactNode } from 'react'
import { formatDateTime, formatDuration, type Clock } from '../../../base/text/format.ts'
import card from '../../../ui/card.module.css'
import { FactLines, type FactLine } from '../../../ui/FactLines.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import type { LaneItem } from './lane.ts'

interface LaneFactsProps {
  readonly lane: string
  readonly item: LaneItem
  readonly clock: Clock
}

/** A mark in words, at the pointer and in the selection. */
export function LaneFacts({ lane, item, clock }: LaneFactsProps): ReactNode {
  return (
    <>
      <p className={cx('line', card.title)}>{item.title}</p>
      <FactLines lines={[['Lane', lane], ...timeFacts(item, clock), ...item.facts]} />
      {item.evidence.map((sentence) => (
        <p key={sentence} className={card.note}>
          <bdi>{sentence}</bdi>
        </p>
      ))}
    </>
  )
}

const timeFacts = ({ startTicks, durationTicks }: LaneItem, clock: Clock): readonly FactLine[] =>
  durationTicks > 0
    ? [
        ['Start', formatDateTime(startTicks, clock, 7)],
        ['Duration', formatDuration(durationTicks)],
      ]
    : [['Time', formatDateTime(startTicks, clock, 3)]]
