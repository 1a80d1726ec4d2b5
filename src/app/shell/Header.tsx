import { lazy, Suspense, type ReactNode } from 'react'
import { hostOfServer } from '../../base/http/stand-alone.mjs'
import type { PanelId } from '../../capture/client/panels.ts'
import { useView } from '../../capture/client/view.ts'
import { StateDot } from '../../ui/Badge.tsx'
import { IconButton } from '../../ui/controls/Button.tsx'
import { Segmented } from '../../ui/controls/Segmented.tsx'
import { Appearance } from './Appearance.tsx'
import { describeServer, describeSilence, describeSilenceInShort } from '../describe.ts'
import { Mark } from './Mark.tsx'
import { PanelBoundary } from './PanelBoundary.tsx'
import { RAIL_ID } from './Rail.tsx'
import { OpenFiles } from '../sources/OpenFiles.tsx'
import { untestedNote } from '../../ravendb/versions.ts'
import { useCaptureState } from '../../capture/client/useCaptureState.ts'
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
          // A jump to the anchor would replace the hash, which is the address.
          event.preventDefault()
          onSkip()
        }}
      >
        Skip to the panel
      </a>
      <span className={styles.menu}>
        <IconButton icon="menu" label="Panels" popoverTarget={RAIL_ID} />
      </span>
      <span className={cx('inline', styles.brand)}>
        <Mark />
        Rookery
      </span>
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

/** Age of the newest data; not announced to screen readers, since it changes each second. */
function Silence({ sinceMs }: { readonly sinceMs: number }): ReactNode {
  const nowMs = useNow()
  return (
    <span aria-live="off">
      <span className={styles.wide}> · {describeSilence(sinceMs, nowMs)}</span>
      <span className={styles.narrow}> · {describeSilenceInShort(sinceMs, nowMs)}</span>
    </span>
  )
}

/** Address and version of the server, and whether it answers. */
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
        {hostOfServer(address)}
      </span>
      {state.server === null ? null : <Version full={state.server.fullVersion} />}
    </div>
  )
}

/** Version of the server, and whether it is one that Rookery is not tested with. */
function Version({ full }: { readonly full: string }): ReactNode {
  const note = untestedNote(full)
  return (
    <span className={cx('faint', styles.version)} title={note ?? undefined}>
      <span className={styles.product}>RavenDB </span>
      {full}
      {note === null ? null : (
        <>
          , not tested<span className="spoken">. {note}</span>
        </>
      )}
    </span>
  )
}
