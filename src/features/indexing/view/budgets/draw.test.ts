import { describe, expect, it } from 'vitest'
import type { CssPx } from '../../../../base/brand.ts'
import type { Point } from '../../../../charts/canvas/gestures.ts'
import { AXIS_PX } from '../../../../charts/timeline/axis-picture.ts'
import { buildTimeScale } from '../../../../charts/scale.ts'
import { TEST_TOKENS } from '../../../../testing/canvas-tokens.ts'
import { fakeIndexing } from '../../../../testing/fake-indexing.ts'
import { recordingContext } from '../../../../testing/recording-context.ts'
import { buildPalette } from '../palette.ts'
import type { BudgetColumns } from '../useIndexingData.ts'
import { toY } from './box.ts'
import { partBytes } from './draw-machine.ts'
import { drawLanes, hitTestLanes } from '../../../../charts/timeline/lanes/draw.ts'
import { BUDGET_LANES } from './draw.ts'
import { boxOf, type BudgetPicture } from './picture.ts'
import type { BudgetHit } from './hits.ts'
import { layoutBudgets } from './layout.ts'
import { rankSeries, stackSeries } from './series.ts'

const capture = await fakeIndexing({ seed: 4, indexes: 4 })
const data = capture.indexing
const WIDTH = 600
const range = { startTicks: data.startTicks, endTicks: data.endTicks }
const scale = buildTimeScale({ range, widthPx: WIDTH })
const pieces = [{ ...range, startPx: 0 as CssPx, endPx: WIDTH as CssPx }]
const response = await capture.request('indexing.budgets', { indexes: data.indexes.map(({ key }) => key), pieces })
const memory = await capture.request('indexing.memory', { sources: ['db:shop'], pieces })
const stepTicks = (data.endTicks - data.startTicks) / WIDTH
const columns: BudgetColumns = {
  response,
  atTicks: Float64Array.from({ length: WIDTH }, (_, i) => data.startTicks + i * stepTicks),
  stepTicks,
}
const ranked = rankSeries(columns, range.startTicks, range.endTicks, (key) => key)
const picture: BudgetPicture = {
  layout: layoutBudgets(ranked),
  scale,
  scrollPx: 0,
  gaps: [],
  tokens: TEST_TOKENS,
  atTicks: null,
  columns,
  stack: stackSeries(columns, ranked, 'granted', range.startTicks, range.endTicks),
  memory,
  stepsOf: new Map(
    ranked.map(({ budget }) => [budget.index, response.steps.filter((step) => step.index === budget.index)]),
  ),
  palette: buildPalette(TEST_TOKENS),
  clock: 'utc',
  known: range,
}

const hitAt = (at: Point): BudgetHit | null => hitTestLanes(picture, BUDGET_LANES, at)?.own ?? null

describe('the machine', () => {
  it('is split into parts that add up, with what is available, to all there is', () => {
    for (let i = 0; i < memory.length; i++) {
      const sum = (['private', 'other', 'clean'] as const).reduce(
        (total, part) => total + partBytes(memory, part, i),
        memory.availableBytes[i]!,
      )
      expect(sum).toBeCloseTo(memory.physicalBytes[i]!, 0)
    }
  })

  it('does not paint clean pages: they are hatched, and the low-memory limit is there', () => {
    const recording = recordingContext()
    drawLanes(recording.context, picture.layout.heightPx + AXIS_PX, picture, BUDGET_LANES)
    expect(recording.texts()).toContain('low-memory limit')
    const fills = recording.of('fill').map((call) => call.fillStyle)
    expect(fills.some((colour) => colour.startsWith(picture.palette.memory.clean))).toBe(false)
    expect(fills.some((colour) => colour.startsWith(picture.palette.memory.private))).toBe(true)
  })

  it('draws low-memory events where they happened', () => {
    const recording = recordingContext()
    drawLanes(recording.context, picture.layout.heightPx + AXIS_PX, picture, BUDGET_LANES)
    const [low] = memory.lowMemory
    const xPx = Math.round(scale.toPx(low!.atTicks))
    expect(recording.of('fillRect').some(({ args }) => args[0] === xPx && args[2] === 1.5)).toBe(true)
    const hit = hitAt({ xPx: xPx + 2, yPx: AXIS_PX + 20 })
    expect(hit?.event).toBe(low)
  })
})

describe('an index', () => {
  it('has a mark at each step, and the pointer finds the step there', () => {
    const row = picture.layout.rows.find(
      (each) => each.index !== null && (picture.stepsOf.get(each.key)?.length ?? 0) > 0,
    )!
    const step = picture.stepsOf.get(row.key)![0]!
    const hit = hitAt({ xPx: scale.toPx(step.atTicks), yPx: AXIS_PX + row.topPx + 10 })
    expect(hit?.row.key).toBe(row.key)
    expect(Math.abs(scale.toPx(hit!.step!.atTicks) - scale.toPx(step.atTicks))).toBeLessThan(1)
  })

  it('uses its own height: the most it held stands at the top of its row', () => {
    const row = picture.layout.rows[2]!
    const box = boxOf(picture, row)
    expect(toY(box, box.topBytes)).toBeCloseTo(box.yPx + 4, 5)
    expect(toY(box, 0)).toBeCloseTo(box.yPx + box.heightPx - 4, 5)
  })

  it('is nothing below the rows and on the axis', () => {
    expect(hitAt({ xPx: 10, yPx: 5 })).toBeNull()
    expect(hitAt({ xPx: 10, yPx: AXIS_PX + picture.layout.heightPx + 5 })).toBeNull()
  })
})
