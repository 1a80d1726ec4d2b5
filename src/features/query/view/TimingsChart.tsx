import { useMemo, type ReactNode } from 'react'
import { formatCount, formatShare } from '../../../base/text/format.ts'
import { useCanvasTokens } from '../../../charts/canvas/tokens.ts'
import { FlameChart } from '../../../charts/flame/FlameChart.tsx'
import { RowTable } from '../../../ui/table/RowTable.tsx'
import type { TimingNode } from '../contract.ts'
import { timingPicture, type TimingBox } from './timing-boxes.ts'
import styles from './query.module.css'

const NOTHING = (): void => undefined

/** Chart of the steps on which the server spent its time, as it reports them: whole ms. */
export function TimingsChart({ timings }: { readonly timings: TimingNode }): ReactNode {
  const { boxes, all, levels } = useMemo(() => timingPicture(timings), [timings])
  const tokens = useCanvasTokens()
  const boxOf = (box: number): TimingBox => all[box] ?? { name: '', ms: 0, depth: 0, share: 0 }
  const labelOf = (box: number): string => `${boxOf(box).name} ${formatCount(boxOf(box).ms)} ms`
  const words = (box: number): string => `${labelOf(box)}, ${formatShare(boxOf(box).share)} of all`
  return (
    <section className="stack" aria-label="Timings">
      <h3>Timings</h3>
      <div className={styles.flame}>
        <FlameChart
          label="Timings of the query"
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
      <RowTable
        label="Timings as a table"
        rows={all}
        keyOf={(box) => String(all.indexOf(box))}
        columns={[
          { title: 'Part', cell: ({ name, depth }) => `${'– '.repeat(depth)}${name}` },
          { title: 'Took', cell: ({ ms }) => `${formatCount(ms)} ms` },
        ]}
      />
    </section>
  )
}
