import { renderHook, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Ticks } from '../../../base/ticks.ts'
import { buildTimeScale, NO_FOLDS } from '../../../charts/scale.ts'
import { CaptureProvider } from '../../../testing/CaptureProvider.tsx'
import { stubCapture } from '../../../testing/stub-capture.ts'
import { rowKey, type Track } from './timeline/layout.ts'
import type { IoMarksParams } from '../../../feeds/io/contract/marks.ts'
import { NO_FILTER } from '../../../feeds/io/contract/rows.ts'
import { useMarks } from './useIoData.ts'

it('gives each row its own marks, even where a path holds a line break or a bar', async () => {
  const refs = ['/data/Auto_new\nline', '/data/a|b', '/data/plain'].map((lane) => ({
    lane,
    kind: 'JournalWrite',
    file: null,
  }))
  const keys = refs.map(rowKey)
  const tracks = refs.map((ref) => ({ key: rowKey(ref), ref })) as unknown as Track[]
  const capture = stubCapture()
  capture.responses.set('io.marks', (request) => ({
    version: 1,
    rows: (request as IoMarksParams).rows.map((_, at) => ({
      length: 1,
      startTicks: Float64Array.of(at),
      durationTicks: Float64Array.of(1),
    })),
  }))
  const scale = buildTimeScale({ range: { startTicks: 0 as Ticks, endTicks: 1000 as Ticks }, widthPx: 100 })
  const { result } = renderHook(() => useMarks(tracks, scale, NO_FOLDS, NO_FILTER, 1), {
    wrapper: ({ children }) => <CaptureProvider capture={capture}>{children}</CaptureProvider>,
  })
  await waitFor(() => expect(result.current.marks.size).toBeGreaterThan(0))
  expect(keys.map((key) => result.current.marks.get(key)?.startTicks[0])).toEqual([0, 1, 2])
})
