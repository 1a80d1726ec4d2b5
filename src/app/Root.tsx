import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import type { CaptureClient } from '../capture/client/client.ts'
import { createQueryClient } from '../capture/client/requests/queries.ts'
import { LanesContext, type LoadLanes } from '../capture/frame/lanes/lane.ts'
import { Markers, MarkersContext } from '../charts/timeline/markers.ts'
import { App } from './App.tsx'
import { PanelBoundary } from './shell/PanelBoundary.tsx'
import { PANELS } from './panels.ts'
import { createAddressStore } from './url/view-store.ts'

const loadLanes: LoadLanes = () => import('./lanes.ts')

interface PageProps {
  /** Called once. */
  readonly connect: (queries: QueryClient) => CaptureClient
}

/** Creates what lives as long as the page within an error boundary, so that a browser that cannot shows why. */
export const Root = ({ connect }: PageProps): ReactNode => (
  <PanelBoundary what="The page" consequence="Nothing is recorded.">
    <Page connect={connect} />
  </PanelBoundary>
)

function Page({ connect }: PageProps): ReactNode {
  const [queries] = useState(createQueryClient)
  const [client] = useState(() => connect(queries))
  const [markers] = useState(() => new Markers())
  const [store] = useState(() =>
    createAddressStore(
      PANELS.map((panel) => panel.id),
      PANELS.flatMap((panel) => panel.databaseParams),
    ),
  )
  return (
    <QueryClientProvider client={queries}>
      <MarkersContext value={markers}>
        <LanesContext value={loadLanes}>
          <App client={client} store={store} />
        </LanesContext>
      </MarkersContext>
    </QueryClientProvider>
  )
}
