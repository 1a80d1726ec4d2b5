import type { ReactNode } from 'react'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { sourceLabel, type ErrorInfo } from '../../client/state.ts'
import { useCaptureState } from '../../client/useCaptureState.ts'
import { useView } from '../../client/view.ts'
import { isAllMissing } from '../../worker/missing-files.ts'
import { hasNotice } from './SourceNotices.tsx'
import { useWatched } from '../useWatched.ts'

export interface NothingYetProps {
  /** `No I/O yet` */
  readonly title: string
  /** The panel's first request; `response` null while it is pending. */
  readonly request: { readonly response: unknown; readonly error: ErrorInfo | null }
  /** Shown if only files are open and none has data for the panel. */
  readonly inFiles: ReactNode
  /** Shown if sources are connected but have no data; gets their names. */
  readonly renderConnected: (names: string) => ReactNode
}

/** Replaces the content of a panel while its sources have no data, and says what it is waiting for. */
export function NothingYet({ title, request, inFiles, renderConnected }: NothingYetProps): ReactNode {
  const state = useCaptureState()
  const { sources } = useView().view
  const watched = useWatched()
  const error = request.error === null ? null : <ErrorNotice error={request.error} />
  // Sources that cannot be watched have a notice above.
  const waiting = watched.filter((source) => !hasNotice(source))
  if (isAllMissing(state, sources) || (watched.length > 0 && waiting.length === 0)) return error
  const names = waiting.map(({ ref }) => sourceLabel(ref)).join(', ')
  const phases = new Set(waiting.map(({ phase }) => phase))
  const isRead = phases.has('read') || phases.has('broken')
  return (
    <>
      {error}
      {request.response === null || !(phases.has('live') || isRead) ? (
        <EmptyState title={title}>
          <Spinner>
            {names === ''
              ? 'Connecting …'
              : phases.has('reading')
                ? `Reading ${names} …`
                : `Waiting for the first response of ${names} …`}
          </Spinner>
        </EmptyState>
      ) : phases.has('live') ? (
        renderConnected(names)
      ) : (
        inFiles
      )}
    </>
  )
}
