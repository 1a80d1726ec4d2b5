import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useRef, type ReactNode } from 'react'
import type { PanelId } from '../../capture/client/panels.ts'
import { useCapture, useView } from '../../capture/client/view.ts'
import { StateDot } from '../../ui/Badge.tsx'
import { IconButton } from '../../ui/controls/Button.tsx'
import { Segmented } from '../../ui/controls/Segmented.tsx'
import { SideShades } from '../../ui/table/SideShades.tsx'
import { useSideScroll } from '../../ui/table/useSideScroll.ts'
import { Appearance } from './Appearance.tsx'
import { describeServer, describeSilence } from '../describe.ts'
import { Mark } from './Mark.tsx'
import { PanelBoundary } from './PanelBoundary.tsx'
import { OpenFiles } from '../sources/OpenFiles.tsx'
import { PANELS } from '../panels.ts'
import { formatCount } from '../../base/text/format.ts'
import { useCaptureState } from '../../capture/client/useCaptureState.ts'
import { requestOptions } from '../../capture/client/requests/queries.ts'
import { cx } from '../../ui/theme/cx.ts'
import { useNow } from '../../ui/hooks/now.ts'
import styles from './header.module.css'

const ActionBar = lazy(() => import('./ActionBar.tsx'))

interface HeaderProps {
  readonly panel: PanelId
  readonly onSkip: () => void
  readonly onKeys: () => void
}

export function Header({ panel, onSkip, onKeys }: HeaderProps): ReactNode {
  const store = useView()
  return (
    <header className={cx('row', styles.header)}>
      <a
        className={styles.skip}
        href={store.href(panel)}
        onClick={(event) => {
          // A jump to an anchor would replace the address, which is the hash.
          event.preventDefault()
          onSkip()
        }}
      >
        Skip to the panel
      </a>
      <span className={cx('inline', styles.brand)}>
        <Mark />
        <span className={styles.brandName}>Rookery</span>
      </span>
      <Tabs panel={panel} />
      <ServerState />
      <div className={cx('line', styles.controls)}>
        <PanelBoundary what="The actions" consequence="Nothing can be changed from this page.">
          <Suspense fallback={null}>
            <ActionBar />
          </Suspense>
        </PanelBoundary>
        <OpenFiles />
        <Segmented
          label="Clock"
          options={[
            { value: 'local', text: 'Local', title: 'Times in the time zone of this browser' },
            { value: 'utc', text: 'UTC', title: 'Times in UTC, as the server logs them' },
          ]}
          value={store.view.clock}
          onChange={(clock) => store.change({ clock })}
        />
        <Appearance />
        <span className={styles.keys}>
          <IconButton icon="keyboard" label="Keys (?)" onClick={onKeys} />
        </span>
      </div>
    </header>
  )
}

/** The panels; on a narrow screen they scroll sideways, and a shade shows where there are more. */
function Tabs({ panel }: { readonly panel: PanelId }): ReactNode {
  const store = useView()
  const tabsRef = useRef<HTMLElement>(null)
  const side = useSideScroll(tabsRef)
  return (
    <div className={styles.tabsFrame}>
      <nav ref={tabsRef} className={styles.tabs} aria-label="Panels">
        {PANELS.map((each) => (
          <span key={each.id} className={styles.tabPlace}>
            <a
              className={styles.tab}
              href={store.href(each.id)}
              aria-current={each.id === panel ? 'page' : undefined}
              ref={each.id === panel ? showTab : undefined}
              onClick={(event) => {
                if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
                event.preventDefault()
                store.open(each.id)
              }}
            >
              {each.title}
            </a>
            {each.id === TRIAGE ? <FindingsBadge /> : null}
          </span>
        ))}
      </nav>
      <SideShades side={side} />
    </div>
  )
}

/** How many findings are critical (or else warnings), seen from every panel. Beside the tab's name, which stays as it is. */
function FindingsBadge(): ReactNode {
  const { data: found } = useQuery({
    ...requestOptions(useCapture(), 'server.badge', null),
    refetchInterval: BADGE_EVERY_MS,
    refetchIntervalInBackground: true,
  })
  if (found === undefined || found.critical + found.warning === 0) return null
  const level = found.critical > 0 ? 'critical' : 'warning'
  const counts = (['critical', 'warning'] as const).filter((each) => found[each] > 0)
  const all = counts.map((each) => `${formatCount(found[each])} ${each}`).join(', ')
  const words = `Findings: ${all}. ${found.worst ?? ''}`
  return (
    <span className={cx(styles.findings, styles[level])} role="img" aria-label={words} title={words}>
      {found[level]}
    </span>
  )
}

const BADGE_EVERY_MS = 3000
const TRIAGE = PANELS[0]?.id

/** On a narrow screen tabs scroll sideways: the one of the panel is in sight. */
function showTab(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

/** The age of the newest data; not announced, since it changes each second. */
const Silence = ({ sinceMs }: { readonly sinceMs: number }): ReactNode => (
  <span aria-live="off"> · {describeSilence(sinceMs, useNow())}</span>
)

/** Address, version, and whether it answers. */
function ServerState(): ReactNode {
  const state = useCaptureState()
  const { tone, words } = describeServer(state)
  const address = (state.server?.url ?? location.origin).replace(/\/$/, '')
  return (
    <div
      className={cx('line', styles.server, state.silence !== null && styles.silent)}
      role="status"
      aria-label="Server"
    >
      <StateDot tone={tone}>
        {words}
        {state.silence === null ? null : <Silence sinceMs={state.silence.sinceMs} />}
      </StateDot>
      <span className={styles.address} title={address}>
        {address.replace(/^https?:\/\//, '')}
      </span>
      {state.server === null ? null : (
        <span className={cx('faint', styles.version)}>RavenDB {state.server.fullVersion}</span>
      )}
    </div>
  )
}
