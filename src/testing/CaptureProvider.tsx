import { QueryClientProvider } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { CaptureClient } from '../capture/client/client.ts'
import { createQueryClient } from '../capture/client/requests/queries.ts'
import { CaptureContext } from '../capture/client/view.ts'

interface CaptureProviderProps {
  readonly capture: CaptureClient
  readonly children: ReactNode
}

/** Providers for a component that sends requests to the worker. */
export function CaptureProvider({ capture, children }: CaptureProviderProps): ReactNode {
  const [queries] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queries}>
      <CaptureContext value={capture}>{children}</CaptureContext>
    </QueryClientProvider>
  )
}
