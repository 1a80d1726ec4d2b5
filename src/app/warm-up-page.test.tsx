import { expect, it, vi } from 'vitest'
import type { PanelDefinition } from '../capture/frame/panel.ts'
import { stubCapture } from '../testing/stub-capture.ts'
import { warmUpPage } from './warm-up-page.tsx'

it('reports nothing where the code of the panel cannot be loaded', async () => {
  // React's own report of an error that no boundary caught.
  const reported = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const { port1, port2 } = new MessageChannel()
  const panel = {
    id: 'io',
    Component: () => {
      throw new TypeError('Failed to fetch dynamically imported module: /studio/assets/IoPanel.js')
    },
  } as unknown as PanelDefinition
  port2.postMessage({ type: 'ready', source: 'file:sample', extent: { startTicks: 0, endTicks: 1 } })
  await warmUpPage(stubCapture(), port1, panel, [panel], new AbortController().signal)
  port2.close()
  expect(reported).not.toHaveBeenCalled()
  vi.restoreAllMocks()
})
