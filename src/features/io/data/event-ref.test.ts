import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Bytes, Ticks, TickSpan } from '../../../base/brand.ts'
import { formatEventRef, parseEventRef, sameEvent } from './event-ref.ts'

describe('event references', () => {
  it('come back as they went, whatever the server calls its kinds and lanes', () => {
    const text = fc.string({ minLength: 1, unit: 'grapheme' })
    const whole = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
    fc.assert(
      fc.property(text, text, whole, whole, whole, (lane, kind, start, duration, size) => {
        const ref = {
          lane,
          kind,
          startTicks: start as Ticks,
          durationTicks: duration as TickSpan,
          sizeBytes: size as Bytes,
        }
        const read = parseEventRef(formatEventRef(ref))
        expect(read).toEqual(ref)
        expect(sameEvent(read, ref)).toBe(true)
      }),
    )
  })

  it('are null for anything else', () => {
    expect([null, '', 'DataSync~1~2~3', 'DataSync~a~2~3~lane', '%E0%A4%A~1~2~3~lane'].map(parseEventRef)).toEqual([
      null,
      null,
      null,
      null,
      null,
    ])
  })
})
