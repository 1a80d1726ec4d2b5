import { afterEach, expect, it, vi } from 'vitest'
import { recordingContext } from '../../testing/recording-context.ts'
import { settled } from '../timeline/settle.ts'
import { Stage } from './stage.ts'

afterEach(() => vi.restoreAllMocks())

it('writes and measures hidden characters as escapes', async () => {
  const element = document.createElement('div')
  vi.spyOn(element, 'clientWidth', 'get').mockReturnValue(300)
  vi.spyOn(element, 'clientHeight', 'get').mockReturnValue(100)
  const canvas = document.createElement('canvas')
  const { context, texts } = recordingContext()
  vi.spyOn(canvas, 'getContext').mockReturnValue(context)
  const widths: number[] = []
  const stage = new Stage(element, { marks: canvas }, () => undefined)
  stage.setDraw('marks', (context) => {
    widths.push(context.measureText('a\u202E').width, context.measureText(String.raw`a\u202E`).width)
    context.fillText('a\u202Eb\n', 0, 0)
  })
  await settled()
  stage.dispose()
  expect(texts()).toEqual([String.raw`a\u202Eb\n`])
  expect(widths[0]).toBe(widths[1])
})
