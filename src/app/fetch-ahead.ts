import type { CaptureClient } from '../capture/client/client.ts'
import { nextPreload } from '../ui/lazyPanel.tsx'
import { PANELS } from './panels.ts'
import { mayFetchAhead } from './save-data.ts'
import { wasNotFetched } from '../ui/not-fetched.ts'

/** Delay, ms, after which the page has been drawn and is idle until a file is chosen. */
const WARM_UP_AFTER_MS = 700
/** Delay, ms: after the first picture. */
const PRELOAD_AFTER_MS = 4000
const PRELOAD_EVERY_MS = 150

/**
 * Loads the other panels and their parts, so that they open even if the server that has their code is gone, and warms
 * up for the first file. `openSample`: port to the worker, which warms up as well.
 */
export function fetchAhead(client: CaptureClient, openSample: () => MessagePort): void {
  if (!mayFetchAhead()) return
  setTimeout(() => void warmUp(client, openSample()), WARM_UP_AFTER_MS)
  setTimeout(() => void preload(client), PRELOAD_AFTER_MS)
}

/** Loads panels one at a time, and none while a file is read, since its panel is needed first. */
async function preload(client: CaptureClient): Promise<void> {
  const isReading = (): boolean => client.getState().files.some(({ endedMs }) => endedMs === null)
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PRELOAD_EVERY_MS))
  for (;;) {
    while (isReading()) await pause()
    const next = nextPreload()
    if (next === undefined) return
    await next()
    await pause()
  }
}

/** Runs the code that opening a file needs once, unless something is shown already. */
async function warmUp(client: CaptureClient, port: MessagePort): Promise<void> {
  const panel = PANELS.find(({ id }) => id === 'io')
  const isNeeded = (): boolean => client.getState().sources.length === 0 && client.getState().files.length === 0
  if (panel === undefined || document.hidden || !isNeeded()) return
  const needed = new AbortController()
  const end = client.subscribe(() => {
    if (!isNeeded()) needed.abort()
  })
  try {
    await (await import('./warm-up-page.tsx')).warmUpPage(client, port, panel, PANELS, needed.signal)
  } catch (error) {
    // Code that cannot be loaded because its server is gone: the first file takes a moment longer.
    if (!wasNotFetched(error)) reportError(error)
  } finally {
    end()
  }
}
