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
import { fetchAhead } from './fetch-ahead.ts'
import { Root } from './Root.tsx'

function connect(queries: QueryClient): CaptureClient {
  const { client, openSample } = connectCapture((version, pushed) => seedQueries(queries, version, pushed))
  exposeRookery(client)
  if (location.search === '?archive') void import('./sources/folders.ts').then((part) => part.openServed(client))
  fetchAhead(client, openSample)
  return client
}

const TwoFactorPage = lazy(() => import('./two-factor/TwoFactorPage.tsx'))

startTheme()

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
