import { renderHook, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Ticks } from '../../../base/ticks.ts'
import { buildTimeScale, NO_FOLDS } from '../../../charts/scale.ts'
import { CaptureProvider } from '../../../testing/CaptureProvider.tsx'
import { stubCapture } from '../../../testing/stub-capture.ts'
import { NO_FILTER } from '../../../feeds/indexing/contract/batches.ts'
import type { IndexingMarksParams } from '../../../feeds/indexing/contract/lanes.ts'
import { useMarks } from './useIndexingData.ts'

it('gives each index its own marks, even where a name holds a line break or a bar', async () => {
  const indexes = ['db:shop|Auto/new\nline', 'db:shop|A|B', 'db:shop|plain']
  const capture = stubCapture()
  capture.responses.set('indexing.marks', (request) => ({
    version: 1,
    rows: (request as IndexingMarksParams).indexes.map((_, at) => ({
      length: 1,
      startTicks: Float64Array.of(at),
      durationTicks: Float64Array.of(1),
    })),
  }))
  const scale = buildTimeScale({ range: { startTicks: 0 as Ticks, endTicks: 1000 as Ticks }, widthPx: 100 })
  const { result } = renderHook(() => useMarks(indexes, scale, NO_FOLDS, NO_FILTER, 1), {
    wrapper: ({ children }) => <CaptureProvider capture={capture}>{children}</CaptureProvider>,
  })
  await waitFor(() => expect(result.current.marks.size).toBeGreaterThan(0))
  expect(indexes.map((index) => result.current.marks.get(index)?.startTicks[0])).toEqual([0, 1, 2])
})
