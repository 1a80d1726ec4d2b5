import type { LaneItem, LaneLook, LaneRelations, LaneTrack } from '../../../../capture/frame/lanes/lane.ts'
import { markTrack, spanMarks } from '../../../../capture/frame/lanes/mark-track.ts'
import type { LabelledSpan } from '../../../../charts/timeline/label-spans.ts'
import { toServer } from './to-server.ts'

/** Styles of the server's labels. A later one is drawn above an earlier one if both fall on the same pixel. */
const LOOKS: readonly (LaneLook & { readonly label: string })[] = [
  { label: 'unknown', title: 'Unknown', token: '--wait-unknown', pattern: 'faint' },
  { label: 'none', title: 'No bottleneck', token: '--wait-unknown', pattern: 'low' },
  { label: 'running', title: 'Running', token: '--wait-unknown', pattern: 'faint' },
  { label: 'client', title: 'Client', token: '--wait-network', pattern: 'faint' },
  { label: 'merger', title: 'Transaction merger', token: '--wait-lock', pattern: 'hatched' },
  { label: 'memory', title: 'Memory', token: '--wait-memory', pattern: 'hatched' },
  { label: 'cpu', title: 'CPU', token: '--wait-running', pattern: 'solid' },
  { label: 'disk', title: 'Disk', token: '--wait-disk', pattern: 'solid' },
  { label: 'throttled', title: 'Throttled', token: '--error', pattern: 'solid' },
]

/** Returns a row of labels as a track. */
export function labelTrack(
  key: string,
  spans: readonly LabelledSpan[],
  relationsOf: (span: LabelledSpan) => LaneRelations = () => ({}),
): LaneTrack {
  const items = spans.map((span): LaneItem => {
    const { startTicks, endTicks, title, evidence, competing = [], others = [] } = span
    return {
      startTicks,
      durationTicks: endTicks - startTicks,
      title,
      facts: [],
      evidence: [
        ...evidence,
        ...competing.map((each) => `Also at its limit: ${each}`),
        ...(others.length === 0 ? [] : [`Not at its limit: ${others.join(' ')}`]),
      ],
      of: relationsOf(span),
      link: toServer,
    }
  })
  const codes = spans.map(({ label }) =>
    Math.max(
      0,
      LOOKS.findIndex((look) => look.label === label),
    ),
  )
  return markTrack({
    key,
    marks: spanMarks(items),
    looks: LOOKS,
    lookAt: (mark) => codes[mark] ?? 0,
    itemAt: (mark) => items[mark] as LaneItem,
    labelAt: (mark) => items[mark]?.title ?? '',
  })
}

/** Legend of the labels that occur in the spans. */
export function labelLegend(spans: readonly LabelledSpan[]): readonly LaneLook[] {
  const met = new Set(spans.map(({ label }) => label))
  return LOOKS.filter(({ label }) => met.has(label))
}
