import { expect, it } from 'vitest'
import type { Ticks } from '../../../base/ticks.ts'
import { buildTimeScale } from '../../../charts/scale.ts'
import { TEST_TOKENS } from '../../../testing/canvas-tokens.ts'
import { recordingContext } from '../../../testing/recording-context.ts'
import type { LaneItem } from './lane.ts'
import { markTrack, spanMarks } from './mark-track.ts'

const LOOKS = [{ title: 'Mark', token: '--error', pattern: 'solid' }] as const

it('writes a label where no fold covers it, or not at all', () => {
  // Folds are 28 px wide: at 10 to 38 px, and in the middle of the rest.
  const rule = { idleSpans: new Float64Array([10, 1000, 1100, 2000]), foldPx: 28 }
  const range = { startTicks: 0 as Ticks, endTicks: 2300 as Ticks }
  const scale = buildTimeScale({ range, widthPx: 500, rule })
  const labelled = (label: string): readonly unknown[] => {
    const { context, of } = recordingContext()
    markTrack({
      key: '',
      marks: spanMarks([{ startTicks: 0 as Ticks, durationTicks: 2300 }]),
      looks: LOOKS,
      lookAt: () => 0,
      itemAt: () => ({}) as LaneItem,
      labelAt: () => label,
    }).draw(context, { scale, tokens: TEST_TOKENS }, { yPx: 0, heightPx: 20 })
    return of('fillText').map(({ args }) => args[1])
  }
  const [first, second] = scale.folds
  if (first === undefined || second === undefined) throw new Error('no folds')
  expect(labelled('No limit')).toEqual([first.endPx + 8])
  const widest = Math.floor((second.startPx - first.endPx) / 6)
  expect(labelled('x'.repeat(widest))).toEqual([second.endPx + 8])
  expect(labelled('x'.repeat(80))).toEqual([])
})
