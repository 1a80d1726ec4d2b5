import type { ReactNode } from 'react'
import { formatCount, formatDuration } from '../../../base/text/format.ts'
import { spanFromMs } from '../../../base/ticks.ts'
import { partsInScope } from '../../../capture/client/database-scope.ts'
import { draftKey, type Draft } from '../../../capture/client/drafts/draft.ts'
import { draftStore, useDrafts } from '../../../capture/client/drafts/useDrafts.ts'
import { useView } from '../../../capture/client/view.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { useNow } from '../../../ui/hooks/now.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { RowTable, type RowColumn } from '../../../ui/table/RowTable.tsx'
import styles from './documents.module.css'
import { formatSettings } from './params.ts'
import { openDocument } from './useOpen.ts'
import { useServerKey } from './useServerKey.ts'

const nameOf = ({ id, newId = '' }: Draft): string => (id === '' ? `New document ${newId}`.trim() : id)

const columnsOf = (open: (draft: Draft) => void, nowMs: number): readonly RowColumn<Draft>[] => [
  {
    title: 'Document',
    cell: (draft) => (
      <button type="button" className={styles.open} onClick={() => open(draft)}>
        {nameOf(draft)}
      </button>
    ),
  },
  { title: 'Database', cell: ({ database }) => database },
  { title: 'Characters', cell: ({ text }) => formatCount(text.length) },
  {
    title: 'Typed',
    cell: ({ changedMs }) => `${formatDuration(spanFromMs(Math.max(1000, nowMs - changedMs)))} ago`,
  },
  {
    title: 'Discard',
    cell: (draft) => (
      <Button small aria-label={`Discard the draft of ${nameOf(draft)}`} onClick={() => draftStore.remove(draft)}>
        Discard
      </Button>
    ),
  },
]

/** Lists unsaved drafts of this browser, for all databases of this server. */
export function Drafts({ onOpen }: { readonly onOpen: () => void }): ReactNode {
  const { all, problem } = useDrafts()
  const { view, change } = useView()
  const server = useServerKey()
  const nowMs = useNow()
  const own = (all ?? []).filter((draft) => draft.server === server)
  const others = (all ?? []).length - own.length
  const open = ({ database, id }: Draft): void => {
    onOpen()
    const settings = id === '' ? { id: null, isNew: true, part: 'text' as const } : openDocument(id)
    change({ ...partsInScope(view, database), params: formatSettings(settings) }, { push: true })
  }
  return (
    <section className="stack" aria-label="Drafts">
      {problem === null ? null : (
        <Notice tone="warn" title="Drafts last as long as this page: the browser stores nothing.">
          <p>{problem}</p>
        </Notice>
      )}
      {own.length === 0 ? (
        <p className="faint">No draft: what you type is kept here until it is saved or discarded.</p>
      ) : (
        <RowTable<Draft> label="Drafts" rows={own} keyOf={draftKey} columns={columnsOf(open, nowMs)} />
      )}
      {others === 0 ? null : <p className="note">{`${formatCount(others)} more of other servers at this address.`}</p>}
    </section>
  )
}
