import type { ReactNode } from 'react'
import type { PackagedProps } from '../../capture/frame/panel.ts'
import { PanelLink } from '../../capture/frame/PanelLink.tsx'
import { ToLiveServer } from '../../capture/frame/RecordedPanel.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'

/** In place of a panel of which a recording has nothing, where a live server would be taken for the recorded one. */
export default function NotRecorded({ panel, file }: PackagedProps): ReactNode {
  return (
    <EmptyState title={`${panel.title}: not in a recording`} actions={<ToLiveServer file={file} />}>
      <p>
        A recording does not have {panel.lackedByRecordings}, and <bdi>{file}</bdi> is what is shown.{' '}
        <PanelLink panel="triage">Triage of the recording</PanelLink>
      </p>
    </EmptyState>
  )
}
