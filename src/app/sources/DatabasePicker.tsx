import type { ReactNode } from 'react'
import { Dialog } from '../../ui/controls/Dialog.tsx'
import DatabaseFinder from './DatabaseFinder.tsx'

export interface DatabasePickerProps {
  readonly current: string | null
  readonly onClose: () => void
  readonly onChoose: (name: string) => void
}

/** Dialog to choose the database in scope. */
export default function DatabasePicker({ current, onClose, onChoose }: DatabasePickerProps): ReactNode {
  return (
    <Dialog title="Choose a database" onClose={onClose}>
      <DatabaseFinder
        current={current}
        onChoose={(name) => {
          onClose()
          onChoose(name)
        }}
      />
    </Dialog>
  )
}
