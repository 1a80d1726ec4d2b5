import { createRoot } from 'react-dom/client'
import '../ui/theme.css'
import type { CaptureClient } from '../capture/client.ts'
import { startTheme } from '../ui/theme.ts'
import { connectCapture, exposeRookery } from './connect.ts'
import { Root } from './Root.tsx'
import { TwoFactorPage } from './TwoFactorPage.tsx'

function connect(): CaptureClient {
  const client = connectCapture()
  exposeRookery(client)
  return client
}

startTheme()

const place = document.getElementById('app')
if (place === null) throw new Error('index.html has no element #app')
createRoot(place).render(location.pathname.startsWith('/2fa/') ? <TwoFactorPage /> : <Root connect={connect} />)
