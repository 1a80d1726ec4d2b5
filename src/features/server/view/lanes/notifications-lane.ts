import type { LaneItem, LaneLook, LaneModule } from '../../../../capture/frame/lanes/lane.ts'
import { markTrack, spanMarks, summarizeMarks } from '../../../../capture/frame/lanes/mark-track.ts'
import { isFileSource } from '../../../../capture/client/state.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import type { ServerAlert } from '../../../../feeds/server/contract/alerts.ts'
import type {} from '../../../archive/contract.ts'
import type {} from '../../../package/contract.ts'

/** Styles in ascending order of severity. Any other severity is shown as information. */
const LOOKS: readonly (LaneLook & { readonly severity: string })[] = [
  { severity: 'Info', title: 'Information', token: '--wait-unknown', pattern: 'solid' },
  { severity: 'Success', title: 'Success', token: '--kind-data-flush', pattern: 'solid' },
  { severity: 'Warning', title: 'Warning', token: '--series-second', pattern: 'solid' },
  { severity: 'Error', title: 'Error', token: '--error', pattern: 'solid' },
]

type Notified = Omit<ServerAlert, 'id' | 'exception'>

const itemOf = ({ createdTicks, title, severity, type, kind, database, message }: Notified): LaneItem => ({
  startTicks: createdTicks ?? (Number.NaN as Ticks),
  durationTicks: 0,
  title,
  facts: [
    ['Severity', severity],
    ['Kind', kind ?? type],
    ...(database === null ? [] : [['Database', database] as const]),
  ],
  evidence: message === null ? [] : [message],
  of: {},
  link: { text: 'Open the notifications', panel: 'server', parts: { params: { 'server.view': 'alerts' } } },
})

/** Lane of the notifications that have a time, each as a moment. */
const lane: LaneModule = {
  everyMs: 5000,
  want: (request) => request('server.want', null),
  read: async (request, { sources }, signal) => {
    const isOfFiles = sources.length > 0 && sources.every(isFileSource)
    const alerts: readonly Notified[] = isOfFiles
      ? [
          ...(await request('archive.facts', { sources }, signal)).notifications,
          ...(await request('package.notices', { sources }, signal)),
        ]
      : (await request('server.alerts', null, signal)).alerts
    const timed = alerts
      .filter(({ createdTicks }) => createdTicks !== null)
      .toSorted((a, b) => (a.createdTicks ?? 0) - (b.createdTicks ?? 0))
    const items = timed.map(itemOf)
    const marks = spanMarks(items)
    const codes = timed.map((alert) =>
      Math.max(
        0,
        LOOKS.findIndex(({ severity }) => severity === alert.severity),
      ),
    )
    const track = markTrack({
      key: '',
      marks,
      looks: LOOKS,
      lookAt: (mark) => codes[mark] ?? 0,
      itemAt: (mark) => items[mark] as LaneItem,
    })
    return {
      tracks: items.length === 0 ? [] : [track],
      nothing: isOfFiles ? 'not in files' : 'none',
      summarize: summarizeMarks([marks], { one: 'notification' }),
      legend: LOOKS,
      hasGap: () => false,
      gaps: [],
    }
  },
}

export default lane
