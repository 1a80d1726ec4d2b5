import type { QueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import '../ui/theme/theme.css'
import '../ui/theme/base.css'
import { serverPathOf } from '../base/http/stand-alone.mjs'
import type { CaptureClient } from '../capture/client/client.ts'
import { seedQueries } from '../capture/client/requests/seed.ts'
import { startTheme } from '../ui/theme/theme.ts'
import { connectCapture, exposeRookery } from './connect.ts'
import { nextPreload } from '../ui/lazyPanel.tsx'
import { PANELS } from './panels.ts'
import { Root } from './Root.tsx'
import { wasNotFetched } from './shell/not-fetched.ts'

/** Delay, ms, after which the page has been drawn and is idle until a file is chosen. */
const WARM_UP_AFTER_MS = 700

function connect(queries: QueryClient): CaptureClient {
  const { client, openSample } = connectCapture((version, pushed) => seedQueries(queries, version, pushed))
  exposeRookery(client)
  if (location.search === '?archive') void import('./sources/folders.ts').then((part) => part.openServed(client))
  setTimeout(() => void warmUp(client, openSample()), WARM_UP_AFTER_MS)
  // Load the other panels and their parts, so that they open even if the server that has their code is gone.
  setTimeout(() => void preload(client), PRELOAD_AFTER_MS)
  return client
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

const TwoFactorPage = lazy(() => import('./two-factor/TwoFactorPage.tsx'))

startTheme()

/** Delay, ms: after the first picture. */
const PRELOAD_AFTER_MS = 4000
const PRELOAD_EVERY_MS = 150

const place = document.getElementById('app')
if (place === null) throw new Error('index.html has no element #app')
const wantsCode = location.pathname.slice(serverPathOf(location.pathname).length).startsWith('/2fa/')
createRoot(place).render(
  wantsCode ? (
    <Suspense>
      <TwoFactorPage />
    </Suspense>
  ) : (
    <Root connect={connect} />
  ),
)
