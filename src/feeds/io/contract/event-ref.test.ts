import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Bytes } from '../../../base/brand.ts'
import type { Ticks, TickSpan } from '../../../base/ticks.ts'
import type { IoEventRef } from './rows.ts'
import { eventKeys, formatEventRef, parseEventRef, sameEvent } from './event-ref.ts'

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

it('gives equal events of a list keys of their own, which others before them do not change', () => {
  const event = (startTicks: number): IoEventRef => ({
    lane: 'db:shop|/data/shop',
    kind: 'DataSync',
    startTicks: startTicks as Ticks,
    durationTicks: 5 as TickSpan,
    sizeBytes: 7 as Bytes,
  })
  const equal = [event(1), event(1), event(2), event(1)]
  const keys = [...eventKeys(equal).values()]
  expect(new Set(keys).size).toBe(4)
  expect([...eventKeys([event(9), ...equal]).values()].slice(1)).toEqual(keys)
})
