import type { Bytes } from '../../../base/brand.ts'
import type { Ticks, TickSpan } from '../../../base/ticks.ts'
import type { IoEventRef } from './rows.ts'

/**
 * `<kind>~<start>~<duration>~<bytes>~<lane>` in ticks; the lane comes last because it may contain any character. The
 * format must not change: links contain it.
 */
export const formatEventRef = (ref: IoEventRef): string =>
  `${encodeURIComponent(ref.kind).replaceAll('~', '%7E')}~${ref.startTicks}~${ref.durationTicks}~${ref.sizeBytes}~${ref.lane}`

/** Returns null if the text is not a valid reference. */
export function parseEventRef(text: string | null): IoEventRef | null {
  const match = /^([^~]+)~(-?\d+)~(\d+)~(\d+)~(.+)$/s.exec(text ?? '')
  if (match === null) return null
  const [, kind = '', start, duration, size, lane = ''] = match
  try {
    return {
      lane,
      kind: decodeURIComponent(kind),
      startTicks: Number(start) as Ticks,
      durationTicks: Number(duration) as TickSpan,
      sizeBytes: Number(size) as Bytes,
    }
  } catch {
    return null
  }
}

export const sameEvent = (a: IoEventRef | null, b: IoEventRef | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a.startTicks === b.startTicks &&
    a.durationTicks === b.durationTicks &&
    a.sizeBytes === b.sizeBytes &&
    a.kind === b.kind &&
    a.lane === b.lane)

/** Returns a key for each event that is unique in the list; events themselves may be equal. */
export function eventKeys<Event extends IoEventRef>(events: readonly Event[]): ReadonlyMap<Event, string> {
  const met = new Map<string, number>()
  return new Map(
    events.map((event) => {
      const ref = formatEventRef(event)
      const before = met.get(ref) ?? 0
      met.set(ref, before + 1)
      return [event, before === 0 ? ref : `${ref}#${before}`]
    }),
  )
}
