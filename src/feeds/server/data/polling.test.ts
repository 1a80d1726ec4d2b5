import { expect, test, vi } from 'vitest'
import { RavenError } from '../../../ravendb/errors/errors.ts'
import { Collecting } from './polling.ts'

test('a poll that is refused and tried again leaves nothing of the one before to be ended', () => {
  const stops: ReturnType<typeof vi.fn>[] = []
  const refusals: ((error: RavenError, atMs: number) => void)[] = []
  const later: (() => void)[] = []
  const governor = {
    env: { setTimeout: (run: () => void) => later.push(run), clearTimeout: () => undefined },
    poll: (_key: string, _params: object, options: { readonly onError: (error: RavenError, atMs: number) => void }) => {
      refusals.push(options.onError)
      const stop = vi.fn()
      stops.push(stop)
      return stop
    },
  }
  const collecting = new Collecting(
    { governor: governor as never, isRecording: () => true, take: () => null },
    'vitals',
  )
  collecting.poll('cpuCredits')
  for (let time = 0; time < 3; time++) {
    refusals.at(-1)?.(new RavenError({ kind: 'refused', endpoint: '/debug/cpu-credits' }), time)
    later.at(-1)?.()
  }
  collecting.end()
  expect(stops.map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1, 1])
})
