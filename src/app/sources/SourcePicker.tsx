import type { ReactNode } from 'react'
import { MAX_SOURCES } from '../../capture/client/state.ts'
import { useView } from '../../capture/client/view.ts'
import { useDatabaseChoice } from '../../features/databases/view/useDatabaseChoice.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Dialog } from '../../ui/controls/Dialog.tsx'
import { LazySourceList } from './LazySourceList.tsx'
import styles from './sources.module.css'
import { cx } from '../../ui/theme/cx.ts'

export interface SourcePickerProps {
  readonly onClose: () => void
}

/** Dialog to choose what is watched from the server's list. Neither the list nor the choice loads a database. */
export default function SourcePicker({ onClose }: SourcePickerProps): ReactNode {
  const store = useView()
  const choice = useDatabaseChoice(store.view.sources)

  const take = (): void => {
    store.change({ sources: [...choice.chosen], selection: null }, { push: true })
    onClose()
  }

  return (
    <Dialog
      title="Select sources"
      onClose={onClose}
      actions={
        <>
          {choice.tooMany ? (
            <span className="faint" role="status">
              At most {MAX_SOURCES} at once.
            </span>
          ) : null}
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" disabled={choice.tooMany} onClick={take}>
            Open {String(choice.chosen.size)} selected
          </Button>
        </>
      }
    >
      <div className={cx('column', styles.picker)}>
        <p className="faint">
          An unloaded database can be selected too: watching does not load it, and starts when a client loads it.
        </p>
        <label className={cx('inline', styles.check)}>
          <input type="checkbox" checked={choice.chosen.has('server')} onChange={() => choice.toggle('server')} />
          Server <span className="faint">its own storage</span>
        </label>
        <LazySourceList choice={choice} />
      </div>
    </Dialog>
  )
}
