import { useQueries, useQuery } from '@tanstack/react-query'
import { useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import { choose, offersOf } from '../../actions/client/choose.ts'
import { useAccess, useSession, useViewOnly } from '../../actions/client/session.ts'
import { targetWords, type ActionFacts, type ActionTarget } from '../../actions/model.ts'
import { actionsOn } from '../../actions/table.ts'
import { keyOfIndex } from '../../capture/client/index-key.ts'
import { requestOptions } from '../../capture/client/queries.ts'
import { useCapture, useView } from '../../capture/client/view.ts'
import { factsOf } from '../../features/databases/view/DatabaseActions.tsx'
import { queryKey, queryName } from '../../ravendb/query-key.ts'
import { Dialog } from '../../ui/controls/Dialog.tsx'
import { cx } from '../../ui/theme/cx.ts'
import { PANELS } from '../panels.ts'
import { matching, type PaletteItem } from './match.ts'
import styles from './palette.module.css'

const MOST = 40
const NO_FACTS: ActionFacts = {}
/** What is read of a database stays good for so long, ms. */
const FRESH_MS = 5000

/** The dialog would give the focus to its first button. */
function focusedOnOpening(input: HTMLElement | null): void {
  input?.setAttribute('autofocus', '')
}

/** Panels, databases, indexes, running queries and what can be done to them, by name. */
export function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const listId = useId()
  const shown = matching(useItems(), query, MOST)
  const at = Math.min(active, shown.length - 1)
  const run = (item: PaletteItem | undefined): void => {
    if (item === undefined || item.refusal !== null) return
    onClose()
    item.run()
  }
  const pressed = (event: KeyboardEvent<HTMLInputElement>): void => {
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1 }
    const to = steps[event.key]
    if (to !== undefined) setActive((to + shown.length) % Math.max(1, shown.length))
    else if (event.key === 'Enter') run(shown[at])
    else return
    event.preventDefault()
  }
  return (
    <Dialog title="Go to or do" onClose={onClose}>
      <input
        ref={focusedOnOpening}
        className={styles.input}
        type="text"
        role="combobox"
        aria-label="Panel, database, index, query or action"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={shown[at] === undefined ? undefined : `${listId}-${at}`}
        autoComplete="off"
        spellCheck={false}
        placeholder="Panel, database, index, query or action"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value)
          setActive(0)
        }}
        onKeyDown={pressed}
      />
      <div id={listId} className={styles.list} role="listbox" aria-label="Found">
        {shown.map((item, i) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the combobox takes the keys
          <div
            key={item.id}
            id={`${listId}-${i}`}
            ref={i === at ? (row) => row?.scrollIntoView({ block: 'nearest' }) : undefined}
            className={cx(styles.item, i === at && styles.active)}
            role="option"
            tabIndex={-1}
            aria-selected={i === at}
            aria-disabled={item.refusal !== null}
            title={item.refusal ?? undefined}
            onClick={() => run(item)}
          >
            <bdi>{item.text}</bdi>
            <span className={styles.kind}>{item.refusal ?? item.kind}</span>
          </div>
        ))}
      </div>
      {shown.length === 0 ? <p role="status">Nothing of that name.</p> : null}
    </Dialog>
  )
}

/** Of the text of a query, characters: it is one line of a list. */
const MOST_QUERY = 80

/** Everything that is known now. Indexes are those of the chosen databases that are loaded: no other is asked. */
function useItems(): readonly PaletteItem[] {
  const capture = useCapture()
  const { view, open } = useView()
  const session = useSession()
  const access = useAccess()
  const viewOnly = useViewOnly()
  const { data: list, dataUpdatedAt: listedMs } = useQuery({
    ...requestOptions(capture, 'databases.list', { have: null }),
    staleTime: FRESH_MS,
  })
  const databases = view.sources.flatMap((source) => (source.startsWith('db:') ? [source.slice('db:'.length)] : []))
  const lists = useQueries({
    queries: databases.map((database) => ({
      ...requestOptions(capture, 'actions.indexes', { database }),
      staleTime: FRESH_MS,
    })),
  })
  const { data: queries } = useQuery({ ...requestOptions(capture, 'server.queries', null), staleTime: 1000 })
  const actionsFor = (target: ActionTarget, facts: ActionFacts): readonly PaletteItem[] =>
    offersOf(actionsOn(target.kind), { target, facts }, access, viewOnly).map((offer): PaletteItem => ({
      id: `action ${offer.title} ${target.kind} ${target.database ?? ''} ${target.name ?? ''}`,
      kind: 'Action',
      text: `${offer.title}: ${targetWords(target)}`,
      refusal: offer.refusal,
      run: () => {
        if (access !== null) choose(session, access, offer, [{ target, facts }])
      },
    }))
  const panels = PANELS.map(({ id, title }): PaletteItem => ({
    id: `panel ${id}`,
    kind: 'Panel',
    text: title,
    refusal: null,
    run: () => open(id),
  }))
  const rows = (list?.rows ?? []).flatMap((row): readonly PaletteItem[] => {
    const { name } = row
    const go: PaletteItem = {
      id: `database ${name}`,
      kind: 'Database',
      text: name,
      refusal: null,
      run: () => open('databases', { params: { 'databases.open': name } }),
    }
    // A shard is administered by its parent's name, which the list does not have.
    if (row.isSharded) return [go]
    return [go].concat(actionsFor({ kind: 'database', database: name, name: null }, factsOf(row, listedMs)))
  })
  const running = (queries?.running ?? []).flatMap(({ database, index, id, query }): readonly PaletteItem[] => {
    const key = queryKey({ database, index, id })
    const go: PaletteItem = {
      id: `query ${key}`,
      kind: 'Query',
      text: `Query ${id} on ${database}: ${query.replaceAll(/\s+/g, ' ').slice(0, MOST_QUERY)}`,
      refusal: null,
      run: () => open('activity', { params: { 'activity.view': 'queries', 'activity.show': key } }),
    }
    return [go].concat(actionsFor({ kind: 'query', database, name: queryName(id, index) }, NO_FACTS))
  })
  const indexes = lists.flatMap(({ data }, i): PaletteItem[] => {
    const database = databases[i] ?? ''
    if (data?.loaded !== true) return []
    return data.indexes.flatMap(({ name, facts }): PaletteItem[] => {
      const target = { kind: 'index', database, name } as const
      const go: PaletteItem = {
        id: `index ${database} ${name}`,
        kind: 'Index',
        text: `${name} of ${database}`,
        refusal: null,
        run: () =>
          open('indexing', {
            sources: view.sources,
            params: { 'indexing.view': 'indexes', 'indexing.focus': keyOfIndex(database, name) },
          }),
      }
      return [go, ...actionsFor(target, facts)]
    })
  })
  const ofServer = actionsFor({ kind: 'server', database: null, name: null }, NO_FACTS)
  return [...panels, ...rows, ...indexes, ...running, ...ofServer]
}
