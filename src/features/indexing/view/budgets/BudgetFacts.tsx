import type { ReactNode } from 'react'
import {
  formatBytes,
  formatDateTime,
  formatDuration,
  formatPlural,
  formatShare,
  type Clock,
} from '../../../../base/text/format.ts'
import { FactLines, type FactLine } from '../../../../ui/FactLines.tsx'
import card from '../../../../ui/card.module.css'
import type { BudgetStep } from '../../../../feeds/indexing/contract/budgets.ts'
import type { IndexingMemoryResponse } from '../../../../feeds/indexing/contract/memory.ts'
import { bytesOrNot } from '../words.ts'
import { partBytes, SAMPLE_HOLDS_TICKS } from './draw-machine.ts'
import type { BudgetPicture } from './picture.ts'
import type { BudgetHit } from './hits.ts'
import { cx } from '../../../../ui/theme/cx.ts'

const STEP_WORDS: Record<BudgetStep['kind'], string> = {
  grant: 'was granted more',
  refusal: 'was refused more and ended its batch',
  'low-memory': 'was stopped because memory was low',
  end: 'ended its batch and gave its budget back',
}

interface BudgetFactsProps {
  readonly hit: BudgetHit
  readonly picture: BudgetPicture
  readonly clock: Clock
}

/** Facts about the time and the row under the pointer. */
export function BudgetFacts({ hit, picture, clock }: BudgetFactsProps): ReactNode {
  const at: FactLine = ['At', formatDateTime(hit.atTicks, clock, 3)]
  if (hit.row.type === 'machine')
    return (
      <>
        <p className={cx('line', card.title)}>Machine</p>
        <FactLines lines={[at, ...machineLines(picture.memory, hit)]} />
        {hit.event === null ? null : (
          <p className={card.note}>
            {hit.event.isLow ? 'Memory became low' : 'Memory is back to normal'} ({hit.event.event}):{' '}
            {bytesOrNot(hit.event.freeBytes)} free
            {hit.event.thresholdText === null ? '' : `, the threshold is ${hit.event.thresholdText}`}.
          </p>
        )}
      </>
    )
  if (hit.row.type === 'stack') return <StackFacts hit={hit} picture={picture} at={at} />
  const budget = hit.row.series?.budget
  const value = (column: Float64Array | undefined): number | null => column?.[hit.column] ?? null
  const ran = budget?.ran[hit.column] === 1
  const granted = value(budget?.grantedBytes)
  return (
    <>
      <p className={cx('line', card.title)}>
        <bdi>{hit.row.label}</bdi>
      </p>
      <FactLines
        lines={[
          at,
          ['Batch', ran ? 'one ran' : 'none ran'],
          [
            'Granted',
            granted !== null && !Number.isNaN(granted)
              ? formatBytes(granted)
              : ran
                ? 'not measured: it asked for nothing'
                : 'not measured',
          ],
          ['At last check', bytesOrNot(value(budget?.checkedBytes))],
          ['Thread now', bytesOrNot(value(budget?.nowBytes))],
        ]}
      />
      {budget?.thread === 'known' ? null : (
        <p className={card.note}>
          {budget?.thread === 'ambiguous'
            ? 'Another thread has the same name, so its own is unknown.'
            : 'Its thread is unknown.'}
        </p>
      )}
      {hit.step === null ? null : (
        <p className={card.note}>
          It {STEP_WORDS[hit.step.kind]}: {bytesOrNot(hit.step.fromBytes)} → {bytesOrNot(hit.step.toBytes)}, with{' '}
          {bytesOrNot(hit.step.allocatedBytes)} in use.
        </p>
      )}
    </>
  )
}

function machineLines(memory: IndexingMemoryResponse | null, hit: BudgetHit): FactLine[] {
  const i = hit.sample
  const age = memory === null || i < 0 ? Infinity : hit.atTicks - (memory.atTicks[i] ?? 0)
  if (memory === null || age > SAMPLE_HOLDS_TICKS) return [['Memory', 'not measured then']]
  const physical = memory.physicalBytes[i] ?? Number.NaN
  const line = (label: string, bytes: number): FactLine => [
    label,
    Number.isNaN(bytes) ? 'not measured' : `${formatBytes(bytes)}, ${formatShare(bytes / physical)}`,
  ]
  return [
    ['Physical', formatBytes(physical)],
    line('Private, this server', partBytes(memory, 'private', i)),
    line(
      Number.isNaN(partBytes(memory, 'private', i)) ? 'In use' : 'Others and the system',
      partBytes(memory, 'other', i),
    ),
    line('Available', memory.availableForProcessingBytes[i] ?? Number.NaN),
    line('Free', memory.availableBytes[i] ?? Number.NaN),
    line('Resident, this server', memory.workingSetBytes[i] ?? Number.NaN),
    line('Low-memory limit', memory.lowLimitBytes),
    ['Sampled', `${formatDuration(Math.round(age / 1e6) * 1e6)} before`],
  ]
}

interface StackFactsProps {
  readonly hit: BudgetHit
  readonly picture: BudgetPicture
  readonly at: FactLine
}

function StackFacts({ hit, picture, at }: StackFactsProps): ReactNode {
  const { stack } = picture
  const i = stack === null ? -1 : hit.column - stack.first
  const upper = stack?.layers.at(-1)?.upperBytes[i]
  const parts = (stack?.layers ?? [])
    .map((layer, place) => ({
      name: layer.name,
      bytes: (layer.upperBytes[i] ?? 0) - (stack?.layers[place - 1]?.upperBytes[i] ?? 0),
    }))
    .filter((part) => part.bytes > 0)
    .toSorted((a, b) => b.bytes - a.bytes)
  const unmeasured = stack?.unmeasured[i] ?? 0
  return (
    <>
      <p className={cx('line', card.title)}>All indexes</p>
      <FactLines
        lines={[
          at,
          ['Together', upper === undefined ? 'not measured' : formatBytes(upper)],
          ...parts.slice(0, 6).map((part): FactLine => [part.name, formatBytes(part.bytes)]),
        ]}
      />
      {unmeasured === 0 ? null : (
        <p className={card.note}>
          Of {formatPlural(unmeasured, 'index', 'indexes')} that ran this was not measured; it is not in the sum.
        </p>
      )}
    </>
  )
}
