import type { ReactNode } from 'react'
import { useView } from '../../../capture/client/view.ts'
import type { PanelProps } from '../../../capture/frame/panel.ts'
import { PanelFrame } from '../../../capture/frame/PanelFrame.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { DoneHere } from './DoneHere.tsx'
import { OperationsView } from './OperationsView.tsx'
import { formatSettings, parseSettings } from './params.ts'
import { QueriesView } from './QueriesView.tsx'
import { RunningView } from './RunningView.tsx'

/** Running queries and operations of this server, by any client, and what was done to it from this browser. */
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
            { value: 'running', text: 'Running', title: 'Queries and long operations of any client that run now' },
            { value: 'operations', text: 'Operations', title: 'Long operations of any client' },
            {
              value: 'queries',
              text: 'Queries',
              title: 'Queries of any client that run now, and slow ones that ended',
            },
            { value: 'done', text: 'Done here', title: 'Actions from this browser' },
          ]}
          onChange={(next) => change({ params: formatSettings({ ...settings, view: next, show: '' }) }, { push: true })}
        />
      </div>
      {settings.view === 'done' ? (
        <DoneHere />
      ) : settings.view === 'running' ? (
        <RunningView clock={view.clock} />
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
