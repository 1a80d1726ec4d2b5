import type { ReactNode } from 'react'
import type { PackagedProps } from '../../capture/frame/panel.ts'
import { PanelLink } from '../../capture/frame/PanelLink.tsx'
import { ToLiveServer } from '../../capture/frame/RecordedPanel.tsx'
import type {} from '../../features/files/contract.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'

export interface NotRecordedProps extends PackagedProps {
  readonly kind: 'recording' | 'debug package'
}

/** Replaces a panel for which a recording has no data, or the live server would be mistaken for it. */
export default function NotRecorded({ panel, file, kind }: NotRecordedProps): ReactNode {
  const lacking = kind === 'recording' ? panel.lackedByRecordings : panel.lackedByPackages
  return (
    <EmptyState title={`${panel.title}: not in a ${kind}`} actions={<ToLiveServer file={file} />}>
      <p>
        A {kind} does not have {lacking}, and <bdi>{file}</bdi> is what is shown.{' '}
        <PanelLink panel="triage">Triage of the {kind === 'recording' ? kind : 'package'}</PanelLink>
      </p>
      {kind === 'recording' ? null : (
        <p>
          <PanelLink panel="databases">Databases</PanelLink> has the indexes and running queries of each database,{' '}
          <PanelLink panel="files" parts={{ params: { 'files.file': file, 'files.entry': '', 'files.filter': '' } }}>
            Files
          </PanelLink>{' '}
          every entry.
        </p>
      )}
    </EmptyState>
  )
}
