import { afterEach, expect, it, vi } from 'vitest'
import type { PanelDefinition } from '../capture/frame/panel.ts'
import { stubCapture } from '../testing/stub-capture.ts'
import { warmUpPage } from './warm-up-page.tsx'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Errors that are reported when a panel throws this one. */
async function reportedOf(error: Error): Promise<unknown[]> {
  const reported = vi.spyOn(globalThis, 'reportError').mockReturnValue()
  const { port1, port2 } = new MessageChannel()
  const needed = new AbortController()
  const panel = {
    id: 'io',
    Component: () => {
      // Ends the warm-up, once React has reported the error.
      queueMicrotask(() => needed.abort())
      throw error
    },
  } as unknown as PanelDefinition
  port2.postMessage({ type: 'ready', source: 'file:sample', extent: { startTicks: 0, endTicks: 1 } })
  await warmUpPage(stubCapture(), port1, panel, [panel], needed.signal)
  port2.close()
  return reported.mock.calls.map(([reason]): unknown => reason)
}

it('reports nothing where the code of the panel cannot be loaded', async () => {
  const error = new TypeError('error loading')
  dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: error }))
  expect(await reportedOf(error)).toEqual([])
})

it('reports a fault of the panel', async () => {
  const error = new TypeError('no such lane')
  expect(await reportedOf(error)).toEqual([error])
})
