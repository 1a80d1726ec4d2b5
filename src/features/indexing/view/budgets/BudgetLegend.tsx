import type { ReactNode } from 'react'
import { LegendBox } from '../../../../ui/LegendBox.tsx'
import styles from '../../../../ui/legend.module.css'
import type { IndexingPalette } from '../palette.ts'

interface BudgetLegendProps {
  readonly palette: IndexingPalette
  readonly keysId: string
}

/** Legend of the lines and marks of the budgets, in place. */
export function BudgetLegend({ palette, keysId }: BudgetLegendProps): ReactNode {
  const colour = palette.series(0)
  const line = (stroke: string, dash?: string): ReactNode => (
    <svg width="22" height="10" viewBox="0 0 22 10" aria-hidden="true">
      <path d="M0 8H8V3H22" fill="none" style={{ stroke }} strokeWidth="1.6" strokeDasharray={dash} />
    </svg>
  )
  return (
    <LegendBox
      heads={
        <>
          <span className="inline">{line(colour)} granted</span>
          <span className="inline">{line('var(--fg)')} allocated at the last check</span>
          <span className="inline">{line('var(--fg-muted)', '2 2')} allocated now, by its thread</span>
          <span className="inline">
            <span className={styles.gap} aria-hidden="true" /> not measured
          </span>
        </>
      }
    >
      <section>
        <h3>An index</h3>
        <ul>
          <li>▲ granted more; ✕ refused; ▼ stopped because memory was low; a tick: given back at the end</li>
          <li>
            A step stands where it was seen: at the message that reported it or at the end of the batch, for the server
            reports no time of its own
          </li>
          <li>Each row has a height of its own, with the number at its right edge; “All indexes” compares them</li>
        </ul>
      </section>
      <section>
        <h3>Not measured is not zero</h3>
        <ul>
          <li>
            hatching over the height: a batch ran, and its memory was not reported; at the foot only: it asked for no
            more than it began with, so no budget was reported
          </li>
          <li>in “All indexes” what is not measured adds nothing, and a hatched foot says so</li>
          <li>
            the machine is sampled every 15 s, by its kernel where the server passes that on; further apart than 40 s
            nothing is known between two samples
          </li>
        </ul>
      </section>
      <section>
        <h3>The machine</h3>
        <ul>
          <li>Private memory is what indexes compete for, so it is painted full</li>
          <li>Reclaimable memory is only hatched: the system gives it back at once, so much of it is no alarm</li>
          <li>
            Above the thick line memory is available; where it passes the dashed one the server calls memory low. (A
            rule of thumb leaves a quarter to files; no setting of the server does.)
          </li>
        </ul>
      </section>
      <section id={keysId}>
        <h3>Moving</h3>
        <ul>
          <li>Wheel, pinch, + and −: zoom about the pointer or the cursor; drag, A and D: earlier, later</li>
          <li>M or Enter: set the cursor; then arrows move it, with Shift they move the view; Esc lets it go</li>
          <li>0: all; End: live; Home: the beginning</li>
        </ul>
      </section>
    </LegendBox>
  )
}
