import { useMemo, useState, type ReactNode } from 'react'
import { formatCount, formatShare } from '../../../base/text/format.ts'
import { useCanvasTokens } from '../../../charts/canvas/tokens.ts'
import { FlameChart } from '../../../charts/flame/FlameChart.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { RowTable, type RowColumn } from '../../../ui/table/RowTable.tsx'
import type { TimingNode } from '../contract.ts'
import { compareTimings, type ComparedStep } from './compare-timings.ts'
import { timingPicture, type TimingBox } from './timing-boxes.ts'
import type { TimedRun } from './useQueryRun.ts'
import styles from './query.module.css'

const NOTHING = (): void => undefined
const NONE = ''

interface TimingsChartProps {
  readonly timings: TimingNode
  /** Earlier runs with timings, newest first. */
  readonly earlier: readonly TimedRun[]
}

/** Steps on which the server spent time, in whole ms as reported; optionally compared with an earlier run. */
export function TimingsChart({ timings, earlier }: TimingsChartProps): ReactNode {
  const [chosen, setChosen] = useState(NONE)
  const other = earlier.find(({ count }) => String(count) === chosen) ?? null
  return (
    <section className="stack" aria-label="Timings">
      <div className="row">
        <h3>Timings</h3>
        <span className="push" />
        {earlier.length === 0 ? null : (
          <Select
            label="Compare with"
            value={chosen}
            options={[
              { value: NONE, text: 'no other run' },
              ...earlier.map((run) => ({ value: String(run.count), text: wordsOf(run) })),
            ]}
            onChange={setChosen}
          />
        )}
      </div>
      {other === null ? (
        <>
          <Flame label="Timings of the query" timings={timings} mostMs={timings.ms} />
          <RowTable<ComparedStep>
            label="Timings as a table"
            rows={compareTimings(timings, timings)}
            keyOf={({ path }) => path}
            columns={[PART, { title: 'Took', isFigure: true, cell: ({ now }) => took(now) }]}
          />
        </>
      ) : (
        <>
          <div className={styles.flames}>
            {[
              { title: `Run ${other.count}`, of: other.timings },
              { title: 'This run', of: timings },
            ].map(({ title, of }) => (
              <div key={title} className="stack">
                <h4>
                  {title}: {took(of.ms)}
                </h4>
                <Flame label={`Timings of ${title}`} timings={of} mostMs={Math.max(timings.ms, other.timings.ms)} />
              </div>
            ))}
          </div>
          <RowTable<ComparedStep>
            label="Timings of both runs"
            rows={compareTimings(timings, other.timings)}
            keyOf={({ path }) => path}
            columns={[
              PART,
              { title: `Run ${other.count}`, isFigure: true, cell: ({ before }) => took(before) },
              { title: 'This run', isFigure: true, cell: ({ now }) => took(now) },
              { title: 'Difference', isFigure: true, cell: differenceOf },
            ]}
          />
        </>
      )}
    </section>
  )
}

const PART: RowColumn<ComparedStep> = { title: 'Part', cell: ({ name, depth }) => `${'– '.repeat(depth)}${name}` }

const took = (ms: number | null): string => (ms === null ? 'not in it' : `${formatCount(ms)} ms`)

const differenceOf = ({ now, before }: ComparedStep): string => {
  const difference = (now ?? 0) - (before ?? 0)
  return difference === 0 ? '0 ms' : `${difference > 0 ? '+' : '−'}${formatCount(Math.abs(difference))} ms`
}

/** Maximum length of the text of a query in the list of runs, UTF-16 units. */
const MOST_UNITS = 60

const wordsOf = ({ count, timings, query: { text } }: TimedRun): string => {
  const line = text.replaceAll(/\s+/gu, ' ').trim()
  return `run ${count}, ${took(timings.ms)}: ${line.length > MOST_UNITS ? `${line.slice(0, MOST_UNITS)}…` : line}`
}

interface FlameProps {
  readonly label: string
  readonly timings: TimingNode
  /** Duration that fills the width, so that two runs have the same scale. */
  readonly mostMs: number
}

function Flame({ label, timings, mostMs }: FlameProps): ReactNode {
  const { boxes, all, levels } = useMemo(() => timingPicture(timings, mostMs), [timings, mostMs])
  const tokens = useCanvasTokens()
  const boxOf = (box: number): TimingBox => all[box] ?? { name: '', ms: 0, depth: 0, share: 0 }
  const labelOf = (box: number): string => `${boxOf(box).name} ${formatCount(boxOf(box).ms)} ms`
  const words = (box: number): string => `${labelOf(box)}, ${formatShare(boxOf(box).share)} of all`
  return (
    <div className={styles.flame}>
      <FlameChart
        label={label}
        boxes={boxes}
        levels={levels}
        graphKey="timings"
        idOf={(box) => box}
        lookOf={() => ({ fill: tokens.accent, ink: tokens.bg, hatch: null, faint: false })}
        labelOf={labelOf}
        describe={words}
        renderCard={(box) => <p>{words(box)}</p>}
        selected={null}
        upwards={false}
        tokens={tokens}
        onNeed={NOTHING}
        onEnter={NOTHING}
        onOut={NOTHING}
        onAll={NOTHING}
      />
    </div>
  )
}
