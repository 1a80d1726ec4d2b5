import type { ReactNode } from 'react'
import { useView } from '../../client/view.ts'
import { MissingFiles } from './MissingFiles.tsx'
import { SourceNotices } from './SourceNotices.tsx'
import { useWatched } from '../useWatched.ts'

interface PanelNoticesProps {
  /** Content of the panel, after `the`: `I/O`, `indexing`. */
  readonly what: string
  /** A panel of the whole server reports its own state: whether a database is watched does not matter to it. */
  readonly of?: 'all' | 'files'
}

/** Sources of a panel that it cannot draw as they are: files that are not open here, databases that cannot be watched. */
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
