import type { ReactNode } from 'react'
import { MAX_SOURCES, type SourceId } from '../capture/state.ts'
import { useView } from '../capture/view.ts'
import { useDatabaseChoice } from '../features/databases/useDatabaseChoice.ts'
import { useDatabaseList } from '../features/databases/useDatabaseList.ts'
import { Button } from '../ui/Button.tsx'
import { SourceList } from './SourceList.tsx'
import styles from './shell.module.css'

/** `server`: a panel draws the whole server, whichever of its databases is chosen. */
export type SourceScope = 'server' | 'databases' | 'both'

const NOTHING: readonly SourceId[] = []

/**
 * In place of a panel that has nothing chosen to draw: what it could draw, one click away. Where the server's list
 * cannot be had, the panel itself says what to do.
 */
export function SourceChoice({
  panelTitle,
  scope,
  children,
}: {
  readonly panelTitle: string
  readonly scope: SourceScope
  readonly children: ReactNode
}): ReactNode {
  const store = useView()
  const ofServer = scope === 'server'
  const list = useDatabaseList()
  const choice = useDatabaseChoice(NOTHING)
  if (list.data === undefined && list.error !== null) return children

  const look = (sources: readonly SourceId[]): void => store.change({ sources, selection: null }, { push: true })
  return (
    <section className={styles.choice} aria-label="Choose what to look at">
      <h2>{ofServer ? `${panelTitle}: of the whole server` : `${panelTitle}: of which database?`}</h2>
      <p className={styles.faint}>
        {ofServer
          ? 'Live threads with their CPU time come from the server at once; stacks are captured only at a click.'
          : 'A click on a name opens it; tick several to see them together. Looking loads no database: one that is not loaded is watched, and begins when somebody else loads it.'}
      </p>
      {ofServer ? null : (
        <div className={styles.picker}>
          <SourceList choice={choice} onOpen={(row) => look([`db:${row.name}`])} />
        </div>
      )}
      <div className={styles.choiceActions}>
        {choice.chosen.size === 0 ? null : (
          <Button tone="primary" disabled={choice.tooMany} onClick={() => look([...choice.chosen])}>
            {choice.tooMany ? `At most ${String(MAX_SOURCES)} at once` : `Look at these ${String(choice.chosen.size)}`}
          </Button>
        )}
        {scope === 'databases' ? null : (
          <Button tone={ofServer ? 'primary' : 'plain'} onClick={() => look(['server'])}>
            {ofServer ? 'Look at this server' : 'The server’s own storage'}
          </Button>
        )}
      </div>
    </section>
  )
}
