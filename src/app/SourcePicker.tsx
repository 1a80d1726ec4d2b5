import type { ReactNode } from 'react'
import { useState } from 'react'
import { MAX_SOURCES } from '../capture/state.ts'
import { useView } from '../capture/view.ts'
import { DatabaseTable } from '../features/databases/DatabaseTable.tsx'
import { DEFAULT_SORT, filterRows, sortRows } from '../features/databases/rows.ts'
import { useDatabaseChoice } from '../features/databases/useDatabaseChoice.ts'
import { useDatabaseList } from '../features/databases/useDatabaseList.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { TextField } from '../ui/Field.tsx'
import { Spinner } from '../ui/Progress.tsx'
import styles from './shell.module.css'

/** Chooses what is looked at, from the server's list; neither the list nor the choice loads a database. */
export function SourcePicker({ onClose }: { readonly onClose: () => void }): ReactNode {
  const store = useView()
  const list = useDatabaseList()
  const choice = useDatabaseChoice(store.view.sources)
  const [filter, setFilter] = useState('')
  const [sort, setSort] = useState(DEFAULT_SORT)
  const rows = list.data === undefined ? [] : sortRows(filterRows(list.data.rows, filter), sort)

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
        <TextField
          label="Filter by name"
          hideLabel
          type="search"
          placeholder="Filter by name"
          value={filter}
          onChange={setFilter}
        />
        <div className={styles.pickerTable}>
          {list.data === undefined ? (
            list.error === null ? (
              <Spinner>Asking the server for its databases</Spinner>
            ) : (
              <p role="alert">The list of databases could not be read: {list.error.message}</p>
            )
          ) : (
            <DatabaseTable
              short
              rows={rows}
              version={`${String(list.dataUpdatedAt)} ${filter}`}
              sort={sort}
              onSort={setSort}
              chosen={choice.chosen}
              onToggle={choice.toggle}
            />
          )}
        </div>
      </div>
    </Dialog>
  )
}
