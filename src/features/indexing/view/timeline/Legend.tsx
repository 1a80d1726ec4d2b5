import type { ReactNode } from 'react'
import { sizeStepLabels, type SizeScale } from '../../../../charts/canvas/size-scale.ts'
import { FAMILY_LOOKS, FAMILY_ORDER } from '../families.ts'
import { FamilySwatch } from '../FamilySwatch.tsx'
import { ColourRamp, LegendBox } from '../../../../ui/LegendBox.tsx'
import styles from '../../../../ui/legend.module.css'
import type { IndexingPalette } from '../palette.ts'
import { BATCH_STATES } from '../../../../feeds/indexing/contract/batches.ts'
import { STATE_LOOKS } from '../states.ts'
import { StateSwatch } from '../StateSwatch.tsx'

interface LegendProps {
  readonly palette: IndexingPalette
  readonly sizes: SizeScale
  /** Id of the part that explains the keyboard commands; the chart refers to it. */
  readonly keysId: string
}

/** Legend of the marks, colours and keyboard commands of the batches, in place. */
export function Legend({ palette, sizes, keysId }: LegendProps): ReactNode {
  const labels = sizeStepLabels(sizes)
  return (
    <LegendBox
      heads={
        <>
          {BATCH_STATES.map((state) => (
            <span key={state} className="inline">
              <StateSwatch state={state} /> {STATE_LOOKS[state].title}
            </span>
          ))}
          <span className="inline">
            <ColourRamp colours={palette.worked} />
            {labels[0]} … {labels.at(-1)} of documents
          </span>
        </>
      }
    >
      <section>
        <h3>A batch: colour and pattern</h3>
        <ul>
          {BATCH_STATES.map((state) => (
            <li key={state}>
              <StateSwatch state={state} /> <b>{STATE_LOOKS[state].title}</b>: {STATE_LOOKS[state].meaning}
            </li>
          ))}
          <li>a red corner: a batch with failed documents begins in the same pixel as a longer one</li>
        </ul>
      </section>
      <section>
        <h3>Inside a batch: operations</h3>
        <p>
          A click on a name opens the lane. The server reports how long each operation took, but not when it began: they
          stand end to end in their order, and what is left of the parent is <i>other</i>.
        </p>
        <ul className={styles.steps}>
          {FAMILY_ORDER.filter((family) => family !== 'indexing').map((family) => (
            <li key={family}>
              <FamilySwatch family={family} palette={palette} /> {FAMILY_LOOKS[family].title}
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h3>Duration: width, true to scale</h3>
        <p>
          At least one pixel. Where many batches begin in one pixel, the longest is the one that you see and point at.
        </p>
        <ul>
          <li>
            <span className={styles.gap} aria-hidden="true" /> grey hatching: a coverage gap, with its reason
          </li>
          <li>a torn strip: a stretch in which no index worked, folded; “Fold idle” turns that off</li>
          <li>
            dark ground: after the newest data, and before the first batch where the server may have kept no earlier one
          </li>
          <li>a dashed line: the cursor of the budgets</li>
        </ul>
      </section>
      <section id={keysId}>
        <h3>Moving</h3>
        <ul>
          <li>Wheel, pinch, + and −: zoom about the pointer</li>
          <li>Drag, Shift + wheel, A and D, arrows: earlier, later; dragging up and down: lanes</li>
          <li>M or Enter: focus the longest batch; then arrows step, Enter pins, O opens its lane, Esc leaves</li>
          <li>
            N and P: the next, the previous of the largest; 0: all; End: live, or the end of a file; Home: the beginning
          </li>
        </ul>
      </section>
    </LegendBox>
  )
}
