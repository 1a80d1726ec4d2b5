import type { ReactNode } from 'react'
import { formatPlural } from '../../base/text/format.ts'
import { useCaptureState } from '../../capture/client/useCaptureState.ts'
import { useView } from '../../capture/client/view.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'

/** Replaces a panel that needs a server when only files are served: what can be opened, how to reach a server. */
export default function NoServer(): ReactNode {
  const { files } = useCaptureState()
  const { open } = useView()
  return (
    <EmptyState
      title="No server here"
      actions={
        <>
          <Button tone="primary" onClick={() => open('files', { params: { 'files.focus': 'drop' } })}>
            Open files
          </Button>
          {files.length === 0 ? null : (
            <Button onClick={() => open('files')}>{`Show ${formatPlural(files.length, 'opened file')}`}</Button>
          )}
        </>
      }
    >
      <p>
        This address serves the studio alone, without a RavenDB server. Files need no server: a debug package, an export
        of the official Studio, or a saved response of an endpoint.
      </p>
      <p>
        To watch a server, let it serve the studio itself (setting <code>Studio.Path</code>), or run{' '}
        <code>npm start -- --server URL</code> in front of it.
      </p>
    </EmptyState>
  )
}
