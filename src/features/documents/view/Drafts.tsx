import type { ReactNode } from 'react'
import { formatCount, formatDuration } from '../../../base/text/format.ts'
import { spanFromMs } from '../../../base/ticks.ts'
import { partsInScope } from '../../../capture/client/database-scope.ts'
import { draftKey, draftName, type Draft } from '../../../capture/client/drafts/draft.ts'
import { draftStore, useDrafts } from '../../../capture/client/drafts/useDrafts.ts'
import { useView } from '../../../capture/client/view.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { DraftStorage } from '../../../capture/frame/notices/DraftNotices.tsx'
import { useNow } from '../../../ui/hooks/now.ts'
import { RowTable, type RowColumn } from '../../../ui/table/RowTable.tsx'
import styles from './documents.module.css'
import { formatSettings } from './params.ts'
import { openDocument } from './useOpen.ts'
import { useServerKey } from '../../../actions/client/use-server-key.ts'
import type {} from '../../index-definitions/contract.ts'
import type {} from '../../query/contract.ts'

const columnsOf = (open: (draft: Draft) => void, nowMs: number): readonly RowColumn<Draft>[] => [
  {
    title: 'Draft of',
    cell: (draft) => (
      <button type="button" className={styles.open} onClick={() => open(draft)}>
        {draftName(draft)}
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
      <Button small aria-label={`Discard the draft of ${draftName(draft)}`} onClick={() => draftStore.discard(draft)}>
        Discard
      </Button>
    ),
  },
]

/** Lists the unsaved drafts of this browser, for all databases of this server. */
export function Drafts({ onOpen }: { readonly onOpen: () => void }): ReactNode {
  const { all } = useDrafts()
  const { view, change, open: openPanel } = useView()
  const server = useServerKey()
  const nowMs = useNow()
  const own = (all ?? []).filter((draft) => draft.server === server)
  const others = (all ?? []).length - own.length
  const open = (draft: Draft): void => {
    const { kind, database, id } = draft
    onOpen()
    draftStore.choose(draft)
    const scope = partsInScope(view, database)
    if (kind === 'query') openPanel('query', { ...scope, params: { 'query.text': '', 'query.with': '' } })
    else if (kind === 'index') {
      const params = { 'index-definitions.index': id === '' ? '+' : id }
      openPanel('index-definitions', { ...scope, params })
    } else {
      const settings = id === '' ? { id: null, isNew: true, part: 'text' as const } : openDocument(id)
      change({ ...scope, params: formatSettings(settings) }, { push: true })
    }
  }
  return (
    <section className="stack" aria-label="Drafts">
      <DraftStorage />
      {own.length === 0 ? (
        <p className="faint">No draft: what you type is kept here until it is saved or discarded.</p>
      ) : (
        <RowTable<Draft> label="Drafts" rows={own} keyOf={draftKey} columns={columnsOf(open, nowMs)} />
      )}
      {others === 0 ? null : <p className="note">{`${formatCount(others)} more of other servers at this address.`}</p>}
    </section>
  )
}
