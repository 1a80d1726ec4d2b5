import { useRef, type ReactNode } from 'react'
import { useView } from '../capture/view.ts'
import { StateDot } from '../ui/Badge.tsx'
import { IconButton } from '../ui/Button.tsx'
import { Segmented } from '../ui/Segmented.tsx'
import { SideShades } from '../ui/SideShades.tsx'
import { useSideScroll } from '../ui/useSideScroll.ts'
import { Appearance } from './Appearance.tsx'
import { describeServer } from './describe.ts'
import { Mark } from './Mark.tsx'
import { OpenFiles } from './OpenFiles.tsx'
import { PANELS } from './panels.ts'
import { useCaptureState } from '../capture/useCaptureState.ts'
import styles from './shell.module.css'

export function Header({
  panel,
  onSkip,
  onKeys,
}: {
  readonly panel: string
  readonly onSkip: () => void
  readonly onKeys: () => void
}): ReactNode {
  const store = useView()
  return (
    <header className={styles.header}>
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
      <span className={styles.brand}>
        <Mark />
        <span className={styles.brandName}>Rookery</span>
      </span>
      <Tabs panel={panel} />
      <ServerState />
      <div className={styles.controls}>
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
        <IconButton icon="keyboard" label="Keys (?)" onClick={onKeys} />
      </div>
    </header>
  )
}

/** The panels; on a narrow screen they scroll sideways, and a shade shows where there are more. */
function Tabs({ panel }: { readonly panel: string }): ReactNode {
  const store = useView()
  const tabsRef = useRef<HTMLElement>(null)
  const side = useSideScroll(tabsRef)
  return (
    <div className={styles.tabsFrame}>
      <nav ref={tabsRef} className={styles.tabs} aria-label="Panels">
        {PANELS.map((each) => (
          <a
            key={each.id}
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
        ))}
      </nav>
      <SideShades side={side} />
    </div>
  )
}

/** On a narrow screen tabs scroll sideways: the one of the panel is in sight. */
function showTab(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

/** Address, version, and whether it answers. */
function ServerState(): ReactNode {
  const state = useCaptureState()
  const { tone, words } = describeServer(state)
  const address = (state.server?.url ?? location.origin).replace(/\/$/, '')
  return (
    <div className={styles.server} role="status" aria-label="Server">
      <StateDot tone={tone}>{words}</StateDot>
      <span className={styles.address} title={address}>
        {address.replace(/^https?:\/\//, '')}
      </span>
      {state.server === null ? null : <span className={styles.version}>RavenDB {state.server.fullVersion}</span>}
    </div>
  )
}
