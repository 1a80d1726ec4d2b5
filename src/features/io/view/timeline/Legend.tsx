import type { ReactNode } from 'react'
import { formatCount } from '../../../../base/text/format.ts'
import { KindSwatch } from './KindSwatch.tsx'
import { kindLook, kindsOf } from './kinds.ts'
import { cx } from '../../../../ui/theme/cx.ts'
import { ColourRamp, LegendBox } from '../../../../ui/LegendBox.tsx'
import styles from '../../../../ui/legend.module.css'
import own from './legend.module.css'
import type { IoPalette } from './palette.ts'
import { COUNTS } from '../heat/picture.ts'
import { sizeStepLabels, type SizeScale } from '../../../../charts/canvas/size-scale.ts'

/** Labels `1`, `≤ 4` … `> 4,096`. */
const COUNT_LABELS = [
  ...COUNTS.limits.map((limit) => (limit === 1 ? '1' : `≤ ${formatCount(limit)}`)),
  `> ${formatCount(COUNTS.limits.at(-1) ?? 0)}`,
]

export interface LegendProps {
  /** Kinds that have events. */
  readonly kinds: readonly { readonly kind: string }[]
  readonly palette: IoPalette
  /** Scale of sizes; null: the lanes show heat maps. */
  readonly sizes: SizeScale | null
  /** Id of the part that explains the keyboard commands; the chart refers to it. */
  readonly keysId: string
}

/** Explains every mark, colour and keyboard command in place. */
export function Legend({ kinds: met, palette, sizes, keysId }: LegendProps): ReactNode {
  const kinds = kindsOf(met)
  const labels = sizes === null ? COUNT_LABELS : sizeStepLabels(sizes)
  return (
    <LegendBox
      heads={
        <>
          {kinds.map((kind) => (
            <span key={kind} className="inline">
              <KindSwatch kind={kind} /> {kindLook(kind).title}
            </span>
          ))}
          <span className="inline">
            <ColourRamp colours={palette.ramp(kinds[0] ?? '')} />
            {labels[0]} … {labels.at(-1)}
            {sizes === null ? ' events' : ''}
          </span>
        </>
      }
    >
      <section>
        <h3>Kind: hue, place and pattern</h3>
        <p>In a closed lane the rows are, from the top, in this order; unknown kinds come below.</p>
        <ul>
          {kinds.map((kind) => (
            <li key={kind}>
              <KindSwatch kind={kind} /> <b>{kindLook(kind).title}</b>: {kindLook(kind).meaning}
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h3>{sizes === null ? 'Number of events: lightness' : 'Size: lightness'}</h3>
        <ul className={styles.steps}>
          {labels.map((label, step) => (
            <li key={label}>
              <span className={styles.step} aria-hidden="true">
                {kinds.slice(0, 4).map((kind) => (
                  <span key={kind} style={{ background: palette.ramp(kind)[step] }} />
                ))}
              </span>
              {label}
            </li>
          ))}
        </ul>
      </section>
      {sizes === null ? <HeatSection /> : <DurationSection />}
      <section id={keysId}>
        <h3>Moving</h3>
        <ul>
          <li>Wheel, pinch, + and −: zoom about the pointer</li>
          <li>
            Drag, Shift + wheel, A and D, arrows: earlier, later; dragging up and down, or the wheel over the names:
            lanes
          </li>
          <li>M or Enter: focus the slowest mark; then arrows step from mark to mark, Enter pins, Esc leaves</li>
          <li>
            N and P: the next, the previous of the slowest; 0: all; End: live, or the end of a file; Home: the beginning
          </li>
          <li>A click on a name opens its kinds, and a kind its files</li>
        </ul>
      </section>
    </LegendBox>
  )
}

function DurationSection(): ReactNode {
  return (
    <section>
      <h3>Duration: width, true to scale</h3>
      <p>At least one pixel. Where many events begin in one pixel, the slowest is the one that you see and point at.</p>
      <ul>
        <li>
          <span className={cx(styles.box, own.band)} aria-hidden="true" /> a hatched band: a roll-up, older events that
          the server summed up; its inner box reaches from the shortest to the longest of them
        </li>
        <SharedItems />
      </ul>
    </section>
  )
}

function HeatSection(): ReactNode {
  return (
    <section>
      <h3>Latency: height, on a log scale</h3>
      <p>
        From 10 µs at the foot of a lane to 10 s at its top; what is shorter or longer is in the last step. Each cell
        counts the events that begin in its time and take about as long; its hue is the kind with the most of them.
      </p>
      <ul>
        <li>a dot: one of the slowest events of its kind in view, which took about ten times its median or more</li>
        <li>
          <span className={cx(styles.box, own.band)} aria-hidden="true" /> a hatched box: a roll-up, from the shortest
          to the longest of its events; these are in no cell
        </li>
        <SharedItems />
      </ul>
    </section>
  )
}

function SharedItems(): ReactNode {
  return (
    <>
      <li>
        <span className={styles.gap} aria-hidden="true" /> grey hatching: a gap in the data, with its reason
      </li>
      <li>
        with “Mark stalls”: a small shape where a stalled journal write begins, by cause; a click opens it in Stalls
      </li>
      <li>a torn strip: an idle stretch, folded; “Fold idle” turns that off</li>
      <li>dark ground: before the first and after the newest data received</li>
    </>
  )
}
