import { describe, expect } from 'vitest'
import { law } from '../../../../testing/law.ts'
import { parseTicks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import { everything, exportIo, storeOf, testCapture } from '../../../../testing/exported.ts'

interface TraceEvent {
  readonly name: string
  readonly ph: 'X' | 'M'
  readonly ts: number
  readonly dur: number
  readonly pid: number
  readonly tid: number
  readonly args: Readonly<Record<string, unknown>>
}
interface Trace {
  readonly otherData: { readonly start_utc: string }
  readonly traceEvents: readonly TraceEvent[]
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

describe('Chrome trace', () => {
  law(
    'keeps starts, durations and sizes; names processes and threads; on a thread nothing overlaps',
    [testCapture],
    { numRuns: 100 },
    async (capture) => {
      const store = storeOf(capture, 'db:shop')
      const { text } = await exportIo(store, 'io.trace', everything('db:shop'))
      const trace = JSON.parse(text) as Trace
      const events = trace.traceEvents.filter(({ ph }) => ph === 'X')
      const ticks = (micros: number): number => Math.round(micros * 10)
      expect(events.length).toBe(capture.events.length)
      expect(sum(events.map(({ dur }) => ticks(dur)))).toBe(sum(capture.events.map((each) => each.durationTicks)))
      expect(sum(events.map(({ args }) => args['size_bytes'] as number))).toBe(
        sum(capture.events.map((each) => each.sizeBytes)),
      )
      if (events.length > 0) {
        const zero = parseTicks(trace.otherData.start_utc)
        expect(zero % TICKS_PER_SECOND).toBe(0)
        const starts = events.map(({ ts }) => zero + ticks(ts))
        expect(starts).toEqual(capture.events.map((each) => each.startTicks).toSorted((a, b) => a - b))
      }
      const ends = new Map<string, number>()
      for (const { pid, tid, ts, dur } of events) {
        const thread = `${pid} ${tid}`
        expect(ticks(ts)).toBeGreaterThanOrEqual(ends.get(thread) ?? 0)
        ends.set(thread, ticks(ts) + ticks(dur))
      }
      const named = trace.traceEvents.filter(({ ph, name }) => ph === 'M' && name === 'thread_name')
      expect(new Set(named.map(({ pid, tid }) => `${pid} ${tid}`))).toEqual(new Set(ends.keys()))
    },
  )
})
