import type { ReactNode } from 'react'
import { formatBytes, formatCount, formatDateTime, formatRate, type Clock } from '../../../../base/text/format.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import { FactLines, type FactLine } from '../../../../ui/FactLines.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import type { IndexFacts as Facts, IndexInfo, IndexProgress } from '../../../../feeds/indexing/contract/indexes.ts'
import list from '../../../../ui/side-list.module.css'

const NOT_REPORTED = 'not reported'

/** Facts about the index itself, beyond its batches: as last reported by the server, or as contained in a package. */
export function IndexFacts({ index, clock }: { readonly index: IndexInfo; readonly clock: Clock }): ReactNode {
  const { facts, progress } = index
  return (
    <section className={cx('raised', 'column', list.list, list.short)} aria-label={`State of ${index.name}`}>
      <div className={cx('row tight', list.heading)}>
        <h2>
          <bdi>{index.name}</bdi>
        </h2>
      </div>
      {facts === null ? <p className={cx('note', list.note)}>Its state is not reported yet.</p> : null}
      <FactLines
        lines={[
          ...(facts === null ? [] : stateLines(facts, clock)),
          ['Documents behind', index.behind === null ? 'unknown' : formatCount(index.behind)],
          ...(progress === null ? [] : progressLines(progress)),
          ...(facts === null ? [] : memoryLines(facts)),
        ]}
      />
      {facts === null || Number.isNaN(facts.atTicks) ? null : (
        <p className={cx('note', list.note)}>As reported at {formatDateTime(facts.atTicks, clock, 0)}.</p>
      )}
    </section>
  )
}

const count = (value: number | null): string => (value === null ? NOT_REPORTED : formatCount(value))
const moment = (at: Ticks | null, clock: Clock): string => (at === null ? NOT_REPORTED : formatDateTime(at, clock, 0))
const words = (...parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null).join(', ') || NOT_REPORTED

const stateLines = (facts: Facts, clock: Clock): readonly FactLine[] => [
  ['Kind', words(facts.type, facts.sourceType === 'Documents' ? null : facts.sourceType, facts.searchEngine)],
  [
    'State',
    words(facts.state, facts.status, facts.isStale === true ? 'stale' : facts.isStale === false ? 'up to date' : null),
  ],
  ['Entries', count(facts.entriesCount)],
  ['Errors', count(facts.errorsCount)],
  ['Mapped', facts.mappedPerSecond === null ? NOT_REPORTED : formatRate(facts.mappedPerSecond)],
  ...(facts.reducedPerSecond === null || facts.type?.includes('Reduce') !== true
    ? []
    : [['Reduced', formatRate(facts.reducedPerSecond)] as const]),
  ['Most entries of one document', count(facts.mostOutputsPerDocument)],
  ['Last indexed', moment(facts.lastIndexingTicks, clock)],
  ['Last queried', moment(facts.lastQueryingTicks, clock)],
  ['Made', moment(facts.createdTicks, clock)],
]

const progressLines = ({ itemsLeft, itemsTotal, tombstonesLeft, processedPerSecond }: IndexProgress): FactLine[] => [
  [
    'Left to do',
    `${formatCount(itemsLeft)} of ${formatCount(itemsTotal)} documents, ${formatCount(tombstonesLeft)} deletions`,
  ],
  ['Processing', processedPerSecond === null ? NOT_REPORTED : `${formatRate(processedPerSecond)} documents`],
]

/**
 * Lines about memory, which only 5.4 reports. For other versions a line says that it is not reported, so that the
 * absence is not read as zero.
 */
const memoryLines = ({ threadAllocationBytes, budgetBytes }: Facts): readonly FactLine[] => [
  ['Memory held', threadAllocationBytes === null ? 'not measured' : formatBytes(threadAllocationBytes)],
  ['Budget between batches', budgetBytes === null ? 'not measured' : formatBytes(budgetBytes)],
]
