import { useQuery } from '@tanstack/react-query'
import { Suspense, useId, useRef, useState, useSyncExternalStore, type ReactNode } from 'react'
import { formatCount } from '../../base/text/format.ts'
import { useDatabaseScope } from '../../capture/client/database-scope.ts'
import { shownPackage, shownRecording } from '../../capture/client/packages.ts'
import { PANEL_GROUPS, type PanelId } from '../../capture/client/panels.ts'
import { requestOptions } from '../../capture/client/requests/queries.ts'
import { useCapture, useView } from '../../capture/client/view.ts'
import type { PanelFacts } from '../../capture/frame/panel.ts'
import { useNarrow } from '../../ui/hooks/useNarrow.ts'
import { Icon } from '../../ui/Icon.tsx'
import { readStored, writeStored } from '../../ui/storage.ts'
import { cx } from '../../ui/theme/cx.ts'
import { lazyPanel } from '../../ui/lazyPanel.tsx'
import { PANELS } from '../panels.ts'
import type { DatabasePickerProps } from '../sources/DatabasePicker.tsx'
import { PanelBoundary } from './PanelBoundary.tsx'
import styles from './rail.module.css'

const { Component: DatabasePicker } = lazyPanel<DatabasePickerProps>(() => import('../sources/DatabasePicker.tsx'))

/** Id by which the header's button opens the drawer on a narrow screen. */
export const RAIL_ID = 'panels'
const STORED = 'rail'
const BADGE_EVERY_MS = 3000
const TRIAGE = PANELS[0]?.id

/** Initial state: with names if there is room for them beside a panel, else icons. */
const startsCollapsed = (): boolean =>
  (readStored(STORED) ?? (globalThis.innerWidth < 1024 ? 'icons' : 'names')) === 'icons'

/** The panels by group, at the side of the page: icons only when collapsed, a drawer on a narrow screen. */
export function Rail({ panel }: { readonly panel: PanelFacts }): ReactNode {
  const [collapsed, setCollapsed] = useState(startsCollapsed)
  const isDrawer = useNarrow()
  const isCollapsed = collapsed && !isDrawer
  const railRef = useRef<HTMLElement>(null)
  const label = isCollapsed ? 'Show names of panels' : 'Show icons only'
  const closeDrawer = (): void => {
    if (isDrawer) railRef.current?.hidePopover()
  }
  return (
    <nav
      ref={railRef}
      id={RAIL_ID}
      className={cx(styles.rail, isCollapsed && styles.collapsed)}
      aria-label="Panels"
      popover={isDrawer ? 'auto' : undefined}
    >
      <div className={styles.groups}>
        {PANEL_GROUPS.map(({ id, title }) => (
          <Group
            key={id}
            title={title}
            panels={PANELS.filter(({ group }) => group === id)}
            current={panel.id}
            onOpen={closeDrawer}
          >
            {id === 'database' ? <Scope panel={panel} isCollapsed={isCollapsed} onChosen={closeDrawer} /> : null}
          </Group>
        ))}
      </div>
      {isDrawer ? null : (
        <button
          type="button"
          className={cx('bare', styles.item, styles.fold)}
          aria-expanded={!isCollapsed}
          aria-controls={RAIL_ID}
          aria-label={label}
          title={label}
          onClick={() => {
            writeStored(STORED, isCollapsed ? 'names' : 'icons')
            setCollapsed(!isCollapsed)
          }}
        >
          <Icon name="fold" />
        </button>
      )}
    </nav>
  )
}

interface GroupProps {
  readonly title: string
  readonly panels: readonly PanelFacts[]
  readonly current: PanelId
  readonly onOpen: () => void
  readonly children: ReactNode
}

function Group({ title, panels, current, onOpen, children }: GroupProps): ReactNode {
  const id = useId()
  return (
    <div className={styles.group}>
      <p id={id} className={cx('note', styles.title)}>
        {title}
      </p>
      {children}
      <ul aria-labelledby={id}>
        {panels.map((panel) => (
          <li key={panel.id} className={styles.place}>
            <Item panel={panel} isCurrent={panel.id === current} onOpen={onOpen} />
            {panel.id === TRIAGE ? <FindingsBadge /> : null}
          </li>
        ))}
      </ul>
    </div>
  )
}

interface ItemProps {
  readonly panel: PanelFacts
  readonly isCurrent: boolean
  readonly onOpen: () => void
}

/** Link to a panel; dimmed if the panel has nothing to show and leads to a choice. */
function Item({ panel, isCurrent, onOpen }: ItemProps): ReactNode {
  const store = useView()
  const { name } = useDatabaseScope()
  const lacksScope = panel.scope === 'database' && name === null
  return (
    <a
      className={cx(styles.item, lacksScope && styles.quiet)}
      href={store.href(panel.id)}
      title={lacksScope ? `${panel.title}: no database is chosen yet` : panel.title}
      aria-current={isCurrent ? 'page' : undefined}
      {...(isCurrent ? { ref: focusedOnOpening } : {})}
      onClick={(event) => {
        if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        onOpen()
        store.open(panel.id)
      }}
    >
      <Icon name={panel.icon} />
      <span className={styles.name}>{panel.title}</span>
    </a>
  )
}

/** Focuses the current panel when the drawer opens. */
function focusedOnOpening(item: HTMLElement | null): () => void {
  item?.setAttribute('autofocus', '')
  return () => item?.removeAttribute('autofocus')
}

interface ScopeProps {
  readonly panel: PanelFacts
  readonly isCollapsed: boolean
  readonly onChosen: () => void
}

/** Database in scope, with a button to choose another. */
function Scope({ panel, isCollapsed, onChosen }: ScopeProps): ReactNode {
  const store = useView()
  const { name, choose } = useDatabaseScope()
  const [isPicking, setPicking] = useState(false)
  // A panel that does not show the database would make the choice appear without effect.
  const staysHere = panel.scope === 'database' || (panel.needsSource && panel.scope !== 'server')
  const words = name ?? 'Choose a database'
  return (
    <>
      <button
        type="button"
        className={cx('bare', styles.item, styles.scope)}
        aria-haspopup="dialog"
        aria-label={name === null ? words : `Database in scope: ${name}`}
        title={words}
        onClick={() => setPicking(true)}
      >
        {isCollapsed ? <Icon name="chevron" /> : null}
        <bdi className={styles.name}>{words}</bdi>
        {isCollapsed ? null : <Icon name="chevron" />}
      </button>
      {isPicking ? (
        <PanelBoundary what="The list of databases">
          <Suspense fallback={null}>
            <DatabasePicker
              current={name}
              onClose={() => setPicking(false)}
              onChoose={(database) => {
                onChosen()
                if (staysHere) choose(database)
                else store.open('database', { database })
              }}
            />
          </Suspense>
        </PanelBoundary>
      ) : null}
    </>
  )
}

/** Number of critical findings, or else warnings, visible from every panel beside the name of Triage. */
function FindingsBadge(): ReactNode {
  const capture = useCapture()
  const { sources } = useView().view
  // Triage then shows a recording or package, to which these findings do not belong.
  const isOther = useSyncExternalStore(capture.subscribe, () => {
    const state = capture.getState()
    return shownRecording(state, sources) !== null || shownPackage(state, sources) !== null
  })
  const { data: found } = useQuery({
    ...requestOptions(capture, 'triage.badge', null),
    refetchInterval: BADGE_EVERY_MS,
    refetchIntervalInBackground: true,
  })
  if (isOther || found === undefined || found.critical + found.warning === 0) return null
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
