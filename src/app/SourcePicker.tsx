import type { ReactNode } from 'react'
import { MAX_SOURCES } from '../capture/state.ts'
import { useView } from '../capture/view.ts'
import { useDatabaseChoice } from '../features/databases/useDatabaseChoice.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { SourceList } from './SourceList.tsx'
import styles from './shell.module.css'

/** Chooses what is looked at, from the server's list; neither the list nor the choice loads a database. */
export function SourcePicker({ onClose }: { readonly onClose: () => void }): ReactNode {
  const store = useView()
  const choice = useDatabaseChoice(store.view.sources)

  const take = (): void => {
    store.change({ sources: [...choice.chosen], selection: null }, { push: true })
    onClose()
  }

  return (
    <Dialog
      title="Choose what to look at"
      onClose={onClose}
      actions={
        <>
          {choice.tooMany ? (
            <span className={styles.faint} role="status">
              At most {MAX_SOURCES} at once.
            </span>
          ) : null}
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" disabled={choice.tooMany} onClick={take}>
            Look at {choice.chosen.size === 1 ? 'this one' : `these ${String(choice.chosen.size)}`}
          </Button>
        </>
      }
    >
      <div className={styles.picker}>
        <p className={styles.faint}>
          An unloaded database can be chosen too: watching it does not load it, and begins when somebody else does.
        </p>
        <label className={styles.check}>
          <input type="checkbox" checked={choice.chosen.has('server')} onChange={() => choice.toggle('server')} />
          Server <span className={styles.faint}>its own storage</span>
        </label>
        <SourceList choice={choice} />
      </div>
    </Dialog>
  )
}
