import { groupBy } from '../../src/base/columns/group-by.ts'
import { IoEvents, ticksOf, type IoEvent } from '../../src/testing/server/io-events.ts'
import type { Summary } from '../support/studio.ts'
import { covers, eventId, heardOfIo, type Heard } from './accounts.ts'
import { clock, msOfTicks } from './clock.ts'
import type { Listener } from './listener.ts'

/** Export of a page; the form of `debug/io-metrics`, and of its own. */
interface Exported {
  readonly Environments: readonly {
    readonly Path: string
    readonly Files: readonly {
      readonly History: readonly { readonly Type: string; readonly Start: string; readonly End: string }[]
    }[]
  }[]
}

/** Time between the listener's last frame and its own request for the rings. */
const FRAME_MS = 4000
const MOST_TOLD = 5

/**
 * Holds each single event of a page's export against the listener's: what the page lacks lies in a gap or a roll-up, what
 * only the page has was sent while the listener had no connection, and a gap that counts what is missing counts it right.
 * `events`: the listener's, before the export and some time after it. A page may lack what the live socket left out.
 */
export function eventProblems(
  exported: string,
  source: string,
  events: { readonly before: readonly IoEvent[]; readonly after: readonly IoEvent[] },
  gaps: Summary['gaps'],
  listener: Pick<Listener, 'originOf' | 'ioGaps' | 'unsentIo'>,
): string[] {
  const record = new IoEvents()
  record.take(exported)
  const shown = new Map(heardOfIo(source, record.events).map((event) => [idOf(event), event]))
  const received = new Map(heardOfIo(source, events.before).map((event) => [idOf(event), event]))
  const heardSince = new Set(heardOfIo(source, events.after).map(idOf))
  const lacking = [...received].flatMap(([id, event]) => (shown.has(id) ? [] : [event]))
  const extra = [...shown].flatMap(([id, event]) => (heardSince.has(id) ? [] : [event]))
  const rollUps = rollUpsOf(JSON.parse(exported) as Exported)
  const isRolledUp = ({ key, startTicks }: Heard): boolean =>
    (rollUps.get(key) ?? []).some(({ from, to }) => startTicks >= from && startTicks <= to)
  const unsent = new Set(heardOfIo(source, listener.unsentIo).map(idOf))
  const lost = lacking.filter(
    (event) => !unsent.has(idOf(event)) && !gaps.some((gap) => covers(gap, event)) && !isRolledUp(event),
  )
  const shownStarts = new Map([...shown.values()].map((event) => [eventId(event), event]))
  const madeUp = extra.filter(({ startTicks }) => {
    const atMs = msOfTicks(startTicks)
    return !listener.ioGaps.some(({ fromMs, toMs }) => atMs >= fromMs - FRAME_MS && atMs <= toMs + FRAME_MS)
  })
  return [
    ...describe(lost, 'events are lost in time that is drawn as known', (event) => {
      const path = event.lane.slice(source.length + 1)
      const origin = listener.originOf({ path, kind: event.kind ?? '', startTicks: event.startTicks })
      const other = shownStarts.get(eventId(event))
      const isShown = other === undefined ? '' : `, shown with ${other.bytes} bytes for ${event.bytes}`
      return `received in ${origin}${isShown}, ${aroundOf(event, gaps)}`
    }),
    ...describe(madeUp, 'events are shown that the server never sent', (event) => aroundOf(event, gaps)),
    ...gaps.flatMap((gap) => {
      if (gap.source !== source || gap.lane?.startsWith(`${source}|`) !== true || gap.missingCount === null) return []
      const missing = lacking.filter((event) => covers(gap, event)).length
      // Events that the listener missed as well cannot be counted here.
      return missing > gap.missingCount
        ? [
            `A gap (${gap.reason}) of ${gap.lane} ${gap.kind} says that ${gap.missingCount} are missing: ${missing} are.`,
          ]
        : []
    }),
  ]
}

const idOf = ({ key, startTicks, bytes }: Heard): string => `${key}|${startTicks}|${bytes}`

function rollUpsOf({ Environments: environments }: Exported): Map<string, { from: number; to: number }[]> {
  const spans = new Map<string, { from: number; to: number }[]>()
  for (const { Path: path, Files: files } of environments)
    for (const { Type: kind, Start: start, End: end } of files.flatMap(({ History: history }) => history)) {
      const key = `${path} ${kind}`
      spans.set(key, [...(spans.get(key) ?? []), { from: ticksOf(start), to: ticksOf(end) }])
    }
  return spans
}

/** The gaps of the event's lane that end before it and begin after it, in words. */
function aroundOf(event: Heard, gaps: Summary['gaps']): string {
  const source = event.lane.slice(0, event.lane.indexOf('|'))
  const ofLane = gaps.filter((gap) => (gap.lane === null ? gap.source === source : gap.lane === event.lane))
  const before = ofLane.filter(({ endTicks }) => endTicks < event.startTicks)
  const after = ofLane.filter(({ startTicks }) => startTicks > event.endTicks)
  const last = before.toSorted((a, b) => a.endTicks - b.endTicks).at(-1)
  const next = after.toSorted((a, b) => a.startTicks - b.startTicks)[0]
  const parts = [
    ...(last === undefined ? [] : [`${last.reason} until ${clock(msOfTicks(last.endTicks))} before it`]),
    ...(next === undefined ? [] : [`${next.reason} from ${clock(msOfTicks(next.startTicks))} after it`]),
  ]
  return parts.length === 0 ? 'no gap before or after it' : parts.join(', ')
}

/** Sentences by environment and kind, with the first and the last event, and details of the first. */
const describe = (events: readonly Heard[], what: string, detailOf: (event: Heard) => string): string[] =>
  groupBy(events, ({ key }) => key)
    .slice(0, MOST_TOLD)
    .map(([key, group]) => {
      const sorted = group.toSorted((a, b) => a.startTicks - b.startTicks)
      const at = (event: Heard | undefined): string => clock(msOfTicks(event?.startTicks ?? 0))
      const details = sorted[0] === undefined ? '' : ` (${detailOf(sorted[0])})`
      return `${key}: ${group.length} ${what}, from ${at(sorted[0])} to ${at(sorted.at(-1))}${details}.`
    })
