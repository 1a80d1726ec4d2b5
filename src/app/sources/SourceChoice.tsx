import { useEffect, type ReactNode } from 'react'
import { MAX_SOURCES, type SourceId } from '../../capture/client/state.ts'
import type { SourceScope } from '../../capture/client/panels.ts'
import { useView } from '../../capture/client/view.ts'
import { PanelLink } from '../../capture/frame/PanelLink.tsx'
import { useDatabaseChoice } from '../../features/databases/view/useDatabaseChoice.ts'
import { useDatabaseList } from '../../features/databases/view/useDatabaseList.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { readLastSources, sourcesToOpen, useServerId } from './last-sources.ts'
import { LazySourceList } from './LazySourceList.tsx'
import styles from './sources.module.css'
import { cx } from '../../ui/theme/cx.ts'

const NOTHING: readonly SourceId[] = []

interface SourceChoiceProps {
  readonly panelTitle: string
  readonly scope: Exclude<SourceScope, 'server' | 'database'>
  /** The user has just removed the last source, so that none is opened automatically. */
  readonly opensNone: boolean
  readonly children: ReactNode
}

/**
 * Replaces a panel without a source to draw: opens the last choice, or the only database; otherwise lists what can be
 * drawn. If the server's list is not available, the panel itself says what to do.
 */
export function SourceChoice({ panelTitle, scope, opensNone, children }: SourceChoiceProps): ReactNode {
  const store = useView()
  const { change, view } = store
  const list = useDatabaseList()
  const { serverId, isPending } = useServerId(true)
  const choice = useDatabaseChoice(NOTHING)

  const isKnown = list.data !== undefined && !isPending
  const opens =
    opensNone || !isKnown || !list.data.complete
      ? NOTHING
      : sourcesToOpen(
          serverId === null ? NOTHING : readLastSources(serverId),
          list.data.rows.map(({ name }) => name),
          scope,
          view.database,
        )
  const opening = JSON.stringify(opens)
  useEffect(() => {
    const sources = JSON.parse(opening) as readonly SourceId[]
    // Not a step of the history, since going back would lead here again.
    if (sources.length > 0) change({ sources })
  }, [opening, change])

  if (list.data === undefined && list.error !== null) return children
  if (!isKnown || opens.length > 0)
    return (
      <EmptyState title={panelTitle}>
        <Spinner>Reading the list of databases</Spinner>
      </EmptyState>
    )

  const open = (sources: readonly SourceId[]): void => store.change({ sources, selection: null }, { push: true })
  const ownStorage =
    scope === 'databases' ? undefined : <Button onClick={() => open(['server'])}>The server’s own storage</Button>
  if (list.data.complete && list.data.rows.length === 0)
    return (
      <EmptyState title="This server has no database that you may see" actions={ownStorage}>
        <PanelLink panel="databases">Databases</PanelLink> creates one, or restores a backup.
      </EmptyState>
    )
  return (
    <section className={cx('column', styles.choice)} aria-label="Select a database">
      <h2>Select a database</h2>
      <p className="faint">
        Click a name to open it, or tick several to see them together. This loads no database: one that is not loaded is
        shown as unloaded until a client loads it.
      </p>
      <div className={cx('column', styles.picker)}>
        <LazySourceList choice={choice} onOpen={(row) => open([`db:${row.name}`])} />
      </div>
      <div className={cx('wrap', styles.choiceActions)}>
        {choice.chosen.size === 0 ? null : (
          <Button tone="primary" disabled={choice.tooMany} onClick={() => open([...choice.chosen])}>
            {choice.tooMany ? `At most ${String(MAX_SOURCES)} at once` : `Open ${String(choice.chosen.size)} selected`}
          </Button>
        )}
        {ownStorage}
      </div>
    </section>
  )
}
