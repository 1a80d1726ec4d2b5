import { useState, type ReactNode } from 'react'
import { Dialog } from '../../ui/controls/Dialog.tsx'
import { FindList } from '../../ui/controls/FindList.tsx'
import { matching, type PaletteItem } from './match.ts'
import { useItems } from './useItems.ts'

const MOST = 40

/** Finds panels and views, databases, indexes, queries, operations, notifications and actions, by name. */
export function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [query, setQuery] = useState('')
  const { items, missing, nothing } = useItems(query)
  const shown = matching(items, query, MOST)
  const run = (item: PaletteItem): void => {
    onClose()
    item.run()
  }
  return (
    <Dialog title="Go to or do" onClose={onClose}>
      <FindList
        label="Panel, database, index, query, operation or action"
        query={query}
        onQuery={setQuery}
        items={shown}
        renderNote={({ refusal, kind }) => refusal ?? kind}
        onChoose={run}
        status={[...(shown.length === 0 ? [nothing] : []), ...(missing === null ? [] : [missing])].join(' ')}
      />
    </Dialog>
  )
}
