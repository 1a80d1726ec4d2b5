import type { ReactNode } from 'react'
import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { isFileSource, parseSourceId, sourceLabel, type SourceId } from '../capture/client/state.ts'
import type { CaptureClient } from '../capture/client/client.ts'
import { databaseInScope } from '../capture/client/database-scope.ts'
import { beginRequest } from '../capture/client/requests/flush-policy.ts'
import { CaptureContext, ViewContext } from '../capture/client/view.ts'
import { PanelsContext, type PanelFacts } from '../capture/frame/panel.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { lazyPanel } from '../ui/lazyPanel.tsx'
import { Spinner } from '../ui/Progress.tsx'
import { hasFeedOf, shownPackage, shownRecording, withoutPackage } from '../capture/client/packages.ts'
import { hasNoServer } from './describe.ts'
import type { NotRecordedProps } from './shell/NotRecorded.tsx'
import { Header } from './shell/Header.tsx'
import { Rail } from './shell/Rail.tsx'
import { useKeepLastSources } from './sources/last-sources.ts'
import { LinkNotice } from './shell/LinkNotice.tsx'
import { PanelBoundary } from './shell/PanelBoundary.tsx'
import { PANELS } from './panels.ts'
import { ServerNotice } from './shell/ServerNotice.tsx'
import { SourceBar } from './sources/SourceBar.tsx'
import { StatusBar } from './shell/StatusBar.tsx'
import { useCaptureLifecycle } from './useCaptureLifecycle.ts'
import { useServerSpelling } from './sources/useServerSpelling.ts'
import type { UnshownPicture } from './url/url.ts'
import type { AddressStore } from './url/view-store.ts'
import styles from './shell/shell.module.css'
import { cx } from '../ui/theme/cx.ts'

const SourceChoice = lazy(() =>
  import('./sources/SourceChoice.tsx').then((module) => ({ default: module.SourceChoice })),
)
const { Component: ScopeChoice } = lazyPanel<{ readonly panelTitle: string }>(() => import('./sources/ScopeChoice.tsx'))
const OnlyInStudio = lazy(() => import('./shell/OnlyInStudio.tsx'))
const PanelKeys = lazy(() => import('./shell/PanelKeys.tsx'))
const { Component: FileStrip } = lazyPanel(() => import('./sources/FileStrip.tsx'))
const { Component: NotRecorded } = lazyPanel<NotRecordedProps>(() => import('./shell/NotRecorded.tsx'))
const { Component: NoServer } = lazyPanel(() => import('./shell/NoServer.tsx'))
const { Component: RareNotices } = lazyPanel<{ readonly clocksDifferMs: number }>(
  () => import('./shell/RareNotices.tsx'),
)

/** Whether a panel has nothing to show without a server. */
const needsServer = (panel: PanelFacts, sources: readonly SourceId[]): boolean =>
  panel.needsServer && !(panel.needsSource && sources.some(isFileSource))

/** Whether the recording in view has nothing for a panel, and no other file has either. */
const isLackedBy = (recording: string, panel: PanelFacts, sources: readonly SourceId[]): boolean =>
  panel.lackedByRecordings !== null &&
  !(panel.fileFeeds.length > 0 && withoutPackage(sources, recording).some(isFileSource))

/** Charts and lists, within which single-character shortcuts work (WCAG 2.1.4). */
const KEYED = 'main :is([role=application], [role=tree], [role=grid], table, ul, ol)'
const TYPING = 'input:not([type=checkbox], [type=radio]), select, textarea'

/** Source of a panel for the whole server if none is chosen; this choice does not apply to other panels. */
const THE_SERVER: readonly SourceId[] = ['server']
const NO_FEEDS: readonly string[] = []

/** Whether a panel draws the chosen sources; a panel for the whole server draws files beside it. */
const drawsSources = ({ needsSource, scope }: PanelFacts, sources: readonly SourceId[]): boolean =>
  scope === 'server' ? needsSource && sources.some(isFileSource) : needsSource

/** The shell of the page: sources, panel in front, and overhead. */
export function App({ client, store }: { readonly client: CaptureClient; readonly store: AddressStore }): ReactNode {
  const {
    panel: panelId,
    view: chosen,
    notes,
    onlyInStudio,
    unshown,
  } = useSyncExternalStore(store.subscribe, store.getSnapshot)
  const panel = PANELS.find((each) => each.id === panelId) ?? PANELS[0]
  const scope = panel?.scope ?? 'both'
  const mainRef = useRef<HTMLElement>(null)
  const [keysOpen, setKeysOpen] = useState(false)
  const [emptied, setEmptied] = useState(false)
  if (emptied && chosen.sources.length > 0) setEmptied(false)
  const view = scope === 'server' && chosen.sources.length === 0 ? { ...chosen, sources: THE_SERVER } : chosen
  useCaptureLifecycle(client, store, panel?.shows ?? NO_FEEDS, view.sources)
  useServerSpelling(client, store, chosen)

  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey) return
      const { target } = event
      if (!(target instanceof Element) || target.closest(KEYED) === null || target.closest(TYPING) !== null) return
      event.preventDefault()
      setKeysOpen(true)
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [])

  const noServer = useSyncExternalStore(client.subscribe, () => hasNoServer(client.getState()))
  const file = useSyncExternalStore(client.subscribe, () => shownPackage(client.getState(), view.sources))
  const recording = useSyncExternalStore(client.subscribe, () => shownRecording(client.getState(), view.sources))
  // A saved capture has stack snapshots, which a recorder does not write.
  const isThere = useSyncExternalStore(
    client.subscribe,
    () => recording !== null && panel !== undefined && hasFeedOf(client.getState(), recording, panel.fileFeeds),
  )

  if (panel === undefined) return null
  const { Component } = panel
  const names = view.sources.map(parseSourceId).flatMap((ref) => (ref === null ? [] : [sourceLabel(ref)]))
  return (
    <CaptureContext value={client}>
      <PanelsContext value={PANELS}>
        <ViewContext value={{ view, change: store.change, open: store.open, href: store.href }}>
          <title>{`${[panel.title, ...names.slice(0, 2)].join(' · ')} – Rookery`}</title>
          <div className={cx('column', styles.shell)}>
            <Header panel={panel.id} onSkip={() => mainRef.current?.focus()} onKeys={() => setKeysOpen(true)} />
            <LastSources sources={chosen.sources} />
            <div className={styles.body}>
              <Rail panel={panel} />
              <div className={cx('column', styles.beside)}>
                {chosen.sources.length > 0 && drawsSources(panel, chosen.sources) ? (
                  <SourceBar panel={panel.id} scope={scope} onEmptied={() => setEmptied(true)} />
                ) : null}
                <Rare client={client} />
                <ServerNotice />
                {panel.needsServer ? <Files client={client} /> : null}
                <LinkNotes key={notes.join('\n')} notes={notes} />
                <Unshown key={unshown?.file} picture={unshown} />
                {onlyInStudio === undefined ? null : (
                  <Suspense fallback={null}>
                    <OnlyInStudio key={onlyInStudio} hash={onlyInStudio} />
                  </Suspense>
                )}
                <main ref={mainRef} className={styles.main} tabIndex={-1}>
                  <h1 className="spoken">{panel.title}</h1>
                  <PanelBoundary key={panel.id} what={`The panel ${panel.title}`}>
                    <Suspense fallback={<Fetching title={panel.title} />}>
                      {panel.packaged !== null && file !== null ? (
                        <panel.packaged.Component panel={panel} file={file} />
                      ) : panel.recorded !== null && recording !== null ? (
                        <panel.recorded.Component panel={panel} file={recording} />
                      ) : recording !== null && !isThere && isLackedBy(recording, panel, view.sources) ? (
                        <NotRecorded panel={panel} file={recording} kind="recording" />
                      ) : file !== null && recording === null && panel.lackedByPackages !== null ? (
                        <NotRecorded panel={panel} file={file} kind="debug package" />
                      ) : noServer && needsServer(panel, view.sources) ? (
                        <NoServer />
                      ) : scope === 'database' ? (
                        databaseInScope(view) === null ? (
                          <ScopeChoice panelTitle={panel.title} />
                        ) : (
                          <Component panel={panel} />
                        )
                      ) : view.sources.length > 0 || !panel.needsSource || scope === 'server' ? (
                        <Component panel={panel} />
                      ) : (
                        <SourceChoice panelTitle={panel.title} scope={scope} opensNone={emptied}>
                          <Component panel={panel} />
                        </SourceChoice>
                      )}
                    </Suspense>
                  </PanelBoundary>
                </main>
              </div>
            </div>
            <StatusBar />
          </div>
          {keysOpen ? (
            <Suspense fallback={null}>
              <PanelKeys panel={panel.id} onClose={() => setKeysOpen(false)} />
            </Suspense>
          ) : null}
        </ViewContext>
      </PanelsContext>
    </CaptureContext>
  )
}

/** Notices for different clocks and for a worker with problems. */
function Rare({ client }: { readonly client: CaptureClient }): ReactNode {
  const isNeeded = useSyncExternalStore(client.subscribe, () => {
    const { worker, clockAheadMs } = client.getState()
    return worker.phase !== 'running' || Math.abs(clockAheadMs) > CLOCKS_DIFFER_MS
  })
  if (!isNeeded) return null
  return (
    <PanelBoundary what="A notice">
      <Suspense fallback={null}>
        <RareNotices clocksDifferMs={CLOCKS_DIFFER_MS} />
      </Suspense>
    </PanelBoundary>
  )
}

/** Smaller differences are usual, and the dates of responses have a resolution of one second. */
const CLOCKS_DIFFER_MS = 5000

/** Loads the code of the file strip with the first file. */
function Files({ client }: { readonly client: CaptureClient }): ReactNode {
  const hasFiles = useSyncExternalStore(client.subscribe, () => client.getState().files.length > 0)
  return hasFiles ? (
    <Suspense fallback={null}>
      <FileStrip />
    </Suspense>
  ) : null
}

function LastSources({ sources }: { readonly sources: readonly SourceId[] }): null {
  useKeepLastSources(sources)
  return null
}

/** Placeholder for a panel that is loading; `rookery.idle()` waits for it as well. */
function Fetching({ title }: { readonly title: string }): ReactNode {
  useEffect(beginRequest, [])
  return (
    <EmptyState title={title}>
      <Spinner>Fetching the panel</Spinner>
    </EmptyState>
  )
}

/** Lists the parts of a link that could not be read; the rest of it is shown. */
function Unshown({ picture }: { readonly picture: UnshownPicture | undefined }): ReactNode {
  if (picture === undefined) return null
  return (
    <LinkNotice tone="warn" title={`${picture.file} is not shown as it was saved`}>
      Its rows are open. Restoring the picture failed, and is tried again: {picture.message}
    </LinkNotice>
  )
}

function LinkNotes({ notes }: { readonly notes: readonly string[] }): ReactNode {
  if (notes.length === 0) return null
  return (
    <LinkNotice tone="warn" title="Part of this link could not be read">
      {[...new Set(notes)].slice(0, 5).map((note) => (
        <p key={note}>{note}</p>
      ))}
    </LinkNotice>
  )
}
