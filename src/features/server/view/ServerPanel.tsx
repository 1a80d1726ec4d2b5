import { describeAge } from '../../../capture/frame/notices/figure-age.ts'
import type { ReactNode } from 'react'
import type { PanelProps } from '../../../capture/frame/panel.ts'
import { PanelFrame } from '../../../capture/frame/PanelFrame.tsx'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useView } from '../../../capture/client/view.ts'
import { cx } from '../../../ui/theme/cx.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import { useNow } from '../../../ui/hooks/now.ts'
import { Spinner } from '../../../ui/Progress.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { AlertsView } from './AlertsView.tsx'
import { OverheadView } from './OverheadView.tsx'
import { LackingNote } from '../../../capture/frame/notices/LackingNote.tsx'
import { MachineView } from './MachineView.tsx'
import { formatSettings, parseSettings } from './params.ts'
import { ServerFacts } from './ServerFacts.tsx'
import { PanelSentence } from '../../../ui/PanelSentence.tsx'
import styles from './server.module.css'
import { StaleNotice } from '../../../capture/frame/notices/StaleNotice.tsx'
import { useShownCard } from '../../../ui/hooks/useShown.ts'
import { useServerNow, useServerWatch } from './useServerData.ts'
import { describeServer } from './words.ts'
import { RunningText } from '../../../ui/RunningText.tsx'

/** The server as a whole: the machine over time, its alerts, and the monitoring overhead. */
export default function ServerPanel({ panel }: PanelProps): ReactNode {
  const state = useCaptureState()
  const { view, change } = useView()
  const settings = parseSettings(view.params)
  const watch = useServerWatch()
  const { response: now, error } = useServerNow()
  const reported = now?.watch ?? watch
  const age = describeAge(reported?.lastReceivedMs ?? null, useNow())
  const alerts = now?.databases?.alerts ?? 0
  const panelRef = useShownCard(settings.view === 'machine' ? settings.show : '')
  const isGone = state.serverError !== null && state.serverError.status === null
  const withheld = reported?.withheld ?? null
  return (
    <PanelFrame panel={panel} ref={panelRef}>
      <div className={cx('wrap', styles.top)}>
        <PanelSentence lines={[2, 4]} isBeside isPast={age !== null}>
          {age === null ? '' : `As of ${age} ago: `}
          {now !== null && now.nowTicks !== null ? (
            <RunningText text={describeServer(now)} />
          ) : isGone ? (
            'No figures of the server: it does not answer.'
          ) : withheld === null ? (
            'Requesting the figures of the server.'
          ) : (
            'No figures from this server.'
          )}
        </PanelSentence>
        <Segmented
          label="Part of the page"
          value={settings.view}
          options={[
            { value: 'machine', text: 'Machine' },
            {
              value: 'alerts',
              text: 'Notifications',
              title: alerts === 0 ? 'What the server raised' : `${String(alerts)} of databases`,
            },
            { value: 'overhead', text: 'Overhead', title: 'Monitoring overhead' },
          ]}
          onChange={(next) => change({ params: formatSettings({ view: next, show: '' }) }, { push: true })}
        />
      </div>
      <ServerFacts now={now} clock={view.clock} />
      <StaleNotice watch={reported} serverSilent={state.serverError !== null} />
      {error === null ? null : <ErrorNotice error={error} tone={now === null ? 'error' : 'warn'} />}
      {settings.view === 'overhead' ? (
        <OverheadView watch={reported} />
      ) : settings.view === 'alerts' ? (
        <AlertsView
          shown={settings.show}
          clock={view.clock}
          nowTicks={now?.nowTicks ?? null}
          lacking={reported?.lacking ?? []}
        />
      ) : now === null || now.extent === null ? (
        <EmptyState title="Nothing has arrived yet">
          {isGone ? (
            'The first figures come within about five seconds once the server answers.'
          ) : withheld !== null ? (
            `The server answers, but not the requests for its figures. ${withheld}`
          ) : (
            <Spinner>The first figures come within about five seconds. Nothing of this loads a database.</Spinner>
          )}
        </EmptyState>
      ) : (
        <MachineView now={now} state={state} settings={settings} />
      )}
      {reported === null || settings.view !== 'machine' ? null : <LackingNote lacking={reported.lacking} />}
    </PanelFrame>
  )
}
