import { describe, expect, it } from 'vitest'
import { readRecording, recordingNames } from '../../../testing/stalls/recordings.ts'
import { scoreOf } from '../../../testing/stalls/scored.ts'
import type { StallCause } from '../contract.ts'

/** Least share of the stalls of a cause that is put down to it: of all writes, and of those that the server's rings still held. */
const LEAST: Readonly<Record<StallCause, readonly [whole: number, ring: number]>> = {
  sync: [0.95, 0.7],
  flush: [0.95, 0.7],
  bytes: [0.9, 0.9],
  neighbour: [0.85, 0.7],
  standstill: [0.7, 0],
  unexplained: [1, 1],
}
/** In rings a limit of the volume does not show: most of the bytes that it let through are not there. */
const HIDDEN_IN_RINGS: ReadonlySet<string> = new Set(['throttle'])

describe.each(recordingNames())('the recording %s', (name) => {
  it.each([
    ['whole', false],
    ['as the rings leave it', true],
  ])('is judged without a false claim: %s', async (_, isRing) => {
    const { wrong, of } = await scoreOf(readRecording(name, isRing))
    expect(wrong).toBe(0)
    for (const [cause, [whole, ring]] of Object.entries(LEAST)) {
      const score = of[cause as StallCause]
      if (score === undefined || (isRing && HIDDEN_IN_RINGS.has(name))) continue
      expect.soft(score.right / score.all, cause).toBeGreaterThanOrEqual(isRing ? ring : whole)
    }
  })
})
