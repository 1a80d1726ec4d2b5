import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import type { CaptureClient } from '../capture/client/client.ts'
import { createQueryClient } from '../capture/client/queries.ts'
import { App } from './App.tsx'
import { PanelBoundary } from './shell/PanelBoundary.tsx'
import { PANELS } from './panels.ts'
import { createAddressStore } from './url/view-store.ts'

/** Makes what lives as long as the page, inside a boundary: a browser that cannot start it says so instead of staying blank. */
export const Root = ({ connect }: { readonly connect: () => CaptureClient }): ReactNode => (
  <PanelBoundary what="The page" consequence="Nothing is recorded.">
    <Page connect={connect} />
  </PanelBoundary>
)

function Page({ connect }: { readonly connect: () => CaptureClient }): ReactNode {
  const [client] = useState(connect)
  const [store] = useState(() => createAddressStore(PANELS.map((panel) => panel.id)))
  const [queries] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queries}>
      <App client={client} store={store} />
    </QueryClientProvider>
  )
}
