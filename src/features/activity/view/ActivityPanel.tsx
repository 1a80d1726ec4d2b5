import type { ReactNode } from 'react'
import { useView } from '../../../capture/client/view.ts'
import type { PanelProps } from '../../../capture/frame/panel.ts'
import { PanelFrame } from '../../../capture/frame/PanelFrame.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { DoneHere } from './DoneHere.tsx'
import { OperationsView } from './OperationsView.tsx'
import { formatSettings, parseSettings } from './params.ts'
import { QueriesView } from './QueriesView.tsx'

/** What was done to this server from this browser, and what runs on it, started by any client. */
export default function ActivityPanel({ panel }: PanelProps): ReactNode {
  const { view, change } = useView()
  const settings = parseSettings(view.params)
  return (
    <PanelFrame panel={panel}>
      <div>
        <Segmented
          label="Part of the page"
          value={settings.view}
          options={[
            { value: 'done', text: 'Done here', title: 'Actions from this browser' },
            { value: 'operations', text: 'Operations', title: 'Long operations of any client' },
            {
              value: 'queries',
              text: 'Queries',
              title: 'Queries of any client that run now, and slow ones that ended',
            },
          ]}
          onChange={(next) => change({ params: formatSettings({ ...settings, view: next, show: '' }) }, { push: true })}
        />
      </div>
      {settings.view === 'done' ? (
        <DoneHere />
      ) : settings.view === 'operations' ? (
        <OperationsView
          filter={settings.filter}
          onFilter={(filter) => change({ params: formatSettings({ ...settings, filter }) })}
          clock={view.clock}
        />
      ) : (
        <QueriesView
          shown={settings.show}
          onShow={(show) => change({ params: formatSettings({ ...settings, show }) })}
          clock={view.clock}
        />
      )}
    </PanelFrame>
  )
}
