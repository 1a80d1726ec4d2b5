import type { ReactNode } from 'react'
import { formatCount, formatDateTime, type Clock } from '../../base/text/format.ts'
import type { Ticks } from '../../base/ticks.ts'
import { isPackedResponse } from '../../ravendb/entry-names.ts'
import { withOtherPackage, withoutPackage } from '../client/packages.ts'
import { useCaptureState } from '../client/useCaptureState.ts'
import { useView } from '../client/view.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { PanelLink } from './PanelLink.tsx'

/** Maximum number of other packages with a button. */
const MOST_OTHERS = 4

interface PackageHeadProps {
  readonly file: string
  /** Time of the newest response; null: none has a time. */
  readonly atTicks: Ticks | null
}

export const asOf = (atTicks: Ticks | null, clock: Clock): string =>
  atTicks === null ? 'At an unknown time' : `As of ${formatDateTime(atTicks, clock, 0)}`

/**
 * Head of a panel that shows a package in place of a live server: why nothing can be changed, and links to the package
 * and the server.
 */
export function PackageHead({ file, atTicks }: PackageHeadProps): ReactNode {
  const { view, change } = useView()
  const { server, files } = useCaptureState()
  const entries = files.find(({ name }) => name === file)?.entries ?? []
  const others = files
    .filter(({ name, servers, sources }) => servers > 0 && sources.length > 0 && name !== file)
    .slice(0, MOST_OTHERS)
  const texts = entries.filter(({ phase, path }) => phase === 'listed' && !isPackedResponse(path)).length
  return (
    <div className="row">
      <p className="note">
        {asOf(atTicks, view.clock)}, by the debug package <bdi>{file}</bdi>. It is a record of the server: nothing can
        be changed here.{' '}
        <PanelLink panel="files" parts={{ params: { 'files.file': file, 'files.entry': '', 'files.filter': '' } }}>
          {texts === 0 ? 'All entries' : `All entries, ${formatCount(texts)} of them as text alone`}
        </PanelLink>
      </p>
      {others.map((other) => (
        <Button
          key={other.id}
          small
          onClick={() => change({ sources: withOtherPackage(view.sources, file, other), range: null }, { push: true })}
        >
          Show {other.name}
        </Button>
      ))}
      {server === null ? null : (
        <Button
          small
          onClick={() => change({ sources: withoutPackage(view.sources, file), range: null }, { push: true })}
        >
          Show the live server
        </Button>
      )}
    </div>
  )
}
