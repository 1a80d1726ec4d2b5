import type { ReactNode } from 'react'
import { useView } from '../../../capture/client/view.ts'
import type { PanelProps } from '../../../capture/frame/panel.ts'
import { PanelFrame } from '../../../capture/frame/PanelFrame.tsx'
import { ClusterView } from './ClusterView.tsx'
import { useServerNow, useServerWatch } from './useServerData.ts'

/** The nodes of the cluster as this server knows them, with a link to the cluster log. */
export default function ClusterPanel({ panel }: PanelProps): ReactNode {
  const { clock } = useView().view
  useServerWatch()
  const { response } = useServerNow()
  return (
    <PanelFrame panel={panel}>
      <ClusterView clock={clock} nowTicks={response?.nowTicks ?? null} />
    </PanelFrame>
  )
}
