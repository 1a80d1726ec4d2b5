import type { ReactNode } from 'react'
import { useView } from '../../client/view.ts'
import { MissingFiles } from './MissingFiles.tsx'
import { SourceNotices } from './SourceNotices.tsx'
import { useWatched } from '../useWatched.ts'

interface PanelNoticesProps {
  /** Content of the panel, after `the`: `I/O`, `indexing`. */
  readonly what: string
  /** `files` for a panel of the whole server, which does not depend on watched databases. */
  readonly of?: 'all' | 'files'
}

/** Notices about sources that a panel cannot draw: files that are not open here, databases that cannot be watched. */
export function PanelNotices({ what, of = 'all' }: PanelNoticesProps): ReactNode {
  const { clock } = useView().view
  const watched = useWatched()
  const shown = of === 'all' ? watched : watched.filter(({ ref }) => ref.kind === 'file')
  return (
    <>
      <MissingFiles />
      <SourceNotices sources={shown} what={what} clock={clock} />
    </>
  )
}
