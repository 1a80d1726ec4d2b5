import { lazy, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import '../ui/theme/theme.css'
import type { CaptureClient } from '../capture/client/client.ts'
import { startTheme } from '../ui/theme/theme.ts'
import { connectCapture, exposeRookery } from './connect.ts'
import { preloadSourceList } from './sources/LazySourceList.tsx'
import { PANELS } from './panels.ts'
import { Root } from './Root.tsx'

function connect(): CaptureClient {
  const client = connectCapture()
  exposeRookery(client)
  return client
}

const TwoFactorPage = lazy(() => import('./two-factor/TwoFactorPage.tsx'))

startTheme()

/** Beyond the first picture, ms. */
const PRELOAD_AFTER_MS = 4000
const PRELOAD_EVERY_MS = 150

const place = document.getElementById('app')
if (place === null) throw new Error('index.html has no element #app')
const wantsCode = location.pathname.startsWith('/2fa/')
createRoot(place).render(
  wantsCode ? (
    <Suspense>
      <TwoFactorPage />
    </Suspense>
  ) : (
    <Root connect={connect} />
  ),
)

// The other panels, so that they open when the server is gone that would have to send them.
if (!wantsCode)
  setTimeout(() => preloadOneByOne([...PANELS.map(({ preload }) => preload), preloadSourceList]), PRELOAD_AFTER_MS)

/** A file that is opened meanwhile does not wait for all of it. */
function preloadOneByOne([next, ...rest]: readonly (() => void)[]): void {
  if (next === undefined) return
  next()
  setTimeout(() => preloadOneByOne(rest), PRELOAD_EVERY_MS)
}
