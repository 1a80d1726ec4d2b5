import { useState, type ReactNode } from 'react'
import { serverKeyOf } from '../../../actions/client/session.ts'
import { useServerKeyOrNull } from '../../../actions/client/use-server-key.ts'
import { useIndexList } from '../../../actions/client/use-indexes.ts'
import { formatCount, formatPlural } from '../../../base/text/format.ts'
import { useDatabaseScope } from '../../../capture/client/database-scope.ts'
import { LateError } from '../../../capture/frame/notices/LateError.tsx'
import { useDrafts } from '../../../capture/client/drafts/useDrafts.ts'
import { useView } from '../../../capture/client/view.ts'
import { useClosure } from '../../../capture/frame/notices/ClosedNotice.tsx'
import { LoadDatabase } from '../../../capture/frame/notices/LoadDatabase.tsx'
import { UnlessClosed } from '../../../capture/frame/notices/UnlessClosed.tsx'
import { PanelFrame } from '../../../capture/frame/PanelFrame.tsx'
import type { PanelProps } from '../../../capture/frame/panel.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { TextField } from '../../../ui/controls/Field.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import type { DefinitionText } from '../contract.ts'
import { IndexList } from './IndexList.tsx'
import { IndexPage } from './IndexPage.tsx'
import { MergeSuggestions } from './MergeSuggestions.tsx'
import { SavedIndex } from './SavedIndex.tsx'
import { beginNew, hasNewDraft, NEW_INDEX } from './useDefinition.ts'
import styles from './indexes.module.css'

/** Value of the parameter `index` for a new, unsaved index. */
const NEW = '+'

/** Indexes of the database in scope, with the definition of the selected one as text. */
export default function IndexesPanel({ panel }: PanelProps): ReactNode {
  const { name: database } = useDatabaseScope()
  const { params } = useView().view
  const isAlone = (params['index-definitions.index'] ?? '') === '' && params['index-definitions.show'] !== 'merges'
  return (
    <PanelFrame panel={panel} className={cx('column', styles.panel, isAlone && styles.whole)}>
      {database === null ? null : <DatabaseIndexes key={database} database={database} isAlone={isAlone} />}
    </PanelFrame>
  )
}

interface DatabaseIndexesProps {
  readonly database: string
  /** Neither an index nor suggestions are shown below the list. */
  readonly isAlone: boolean
}

function DatabaseIndexes({ database, isAlone }: DatabaseIndexesProps): ReactNode {
  const server = useServerKeyOrNull()
  const { all: drafts, chosen } = useDrafts()
  const { view, change } = useView()
  const { response, error } = useIndexList(database)
  const shown = view.params['index-definitions.index'] ?? ''
  const closure = useClosure(shown === '' ? null : database)
  const [find, setFind] = useState('')
  const all = response?.loaded === true ? response.indexes : []
  const rows = all.filter(({ name }) => name.toLowerCase().includes(find.toLowerCase()))
  const known = all.find(({ name }) => name.toLowerCase() === shown.toLowerCase())
  const isMerging = view.params['index-definitions.show'] === 'merges'
  const show = (index: string): void =>
    change({ params: { 'index-definitions.index': index, 'index-definitions.show': '' } }, { push: true })
  const showMerges = (): void =>
    change({ params: { 'index-definitions.index': '', 'index-definitions.show': 'merges' } }, { push: true })
  const { waiting, begin, answer } = useBegin(server, database, () => show(NEW))
  return (
    <>
      <div className="row">
        <p role="status">
          {response?.loaded === true
            ? `${formatPlural(all.length, 'index', 'indexes')}, ${formatCount(all.filter(({ isStale }) => isStale).length)} stale`
            : ''}
        </p>
        <span className="push" />
        <TextField
          label="Find indexes by name"
          hideLabel
          type="search"
          placeholder="Find"
          value={find}
          onChange={setFind}
        />
        {all.length > 1 ? (
          <Button aria-pressed={isMerging} onClick={() => (isMerging ? show('') : showMerges())}>
            Merge suggestions
          </Button>
        ) : null}
        <Button icon="add" onClick={() => show(NEW)}>
          New index
        </Button>
      </div>
      <LateError error={error} />
      {response === null ? (
        error === null ? (
          <Spinner>Reading the indexes</Spinner>
        ) : null
      ) : !response.loaded ? (
        // With an editor below, its notice says why.
        shown !== '' && closure !== null ? null : (
          <UnlessClosed database={database}>
            <p className="row">
              The database is not loaded: its indexes are known once it is. <LoadDatabase database={database} />
            </p>
          </UnlessClosed>
        )
      ) : rows.length === 0 ? (
        <p className="note">{all.length === 0 ? 'The database has no index.' : 'No index has a name like that.'}</p>
      ) : (
        <IndexList database={database} rows={rows} shown={shown} isAlone={isAlone} onShow={show} />
      )}
      {waiting === null ? null : (
        <Notice
          tone="warn"
          title="A new index was begun here and not saved. It is replaced if you go on."
          actions={
            <>
              <Button onClick={() => answer(true)}>Replace it</Button>
              <Button onClick={() => answer(false)}>Keep it</Button>
            </>
          }
        />
      )}
      {isMerging ? <MergeSuggestions database={database} onShow={show} onBegin={begin} /> : null}
      {shown === '' ? null : server === null || drafts === null ? (
        <Spinner>Reading drafts</Spinner>
      ) : shown === NEW ? (
        <IndexPage
          key={`${server} ${NEW} ${String(chosen)}`}
          server={server}
          database={database}
          index=""
          saved={{ ...NEW_INDEX, json: '', isStale: null, reasons: [], replacement: null }}
          others={all.map(({ name }) => name)}
          errors={0}
          isStale={false}
          onSaved={show}
          onReread={() => undefined}
          onBegin={begin}
        />
      ) : (
        <SavedIndex
          key={`${server} ${shown} ${String(chosen)}`}
          server={server}
          database={database}
          index={shown}
          others={all.flatMap((each) => (each === known ? [] : [each.name]))}
          errors={known?.facts.errors ?? 0}
          isStale={known?.isStale === true}
          isListed={response?.loaded === true ? known !== undefined : null}
          onSaved={show}
          onBegin={begin}
        />
      )}
    </>
  )
}

interface Begun {
  readonly name: string
  readonly definition: DefinitionText
}

/** Begins a new index with a definition. An unsaved earlier one is replaced only if the user confirms. */
function useBegin(
  server: string | null,
  database: string,
  onBegun: () => void,
): {
  readonly waiting: Begun | null
  readonly begin: (name: string, definition: DefinitionText) => void
  readonly answer: (isYes: boolean) => void
} {
  const [waiting, setWaiting] = useState<Begun | null>(null)
  const place = { kind: 'index', server: server ?? serverKeyOf({ serverId: null }), database, id: '' } as const
  const go = ({ name, definition }: Begun): void => {
    setWaiting(null)
    beginNew(place, name, definition)
    onBegun()
  }
  return {
    waiting,
    begin: (name, definition) => {
      if (hasNewDraft(place)) setWaiting({ name, definition })
      else go({ name, definition })
    },
    answer: (isYes) => {
      if (isYes && waiting !== null) go(waiting)
      else setWaiting(null)
    },
  }
}
