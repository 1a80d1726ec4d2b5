import { useQuery } from '@tanstack/react-query'
import { choose, lockOf, offersOf } from '../../actions/client/choose.ts'
import { databaseFactsOf, useDatabasesToActOn } from '../../actions/client/use-databases.ts'
import { useAccess, useSession, useViewOnly } from '../../actions/client/session.ts'
import { callWords, type ActionFacts, type ActionTarget } from '../../actions/model.ts'
import { actionsOn } from '../../actions/table.ts'
import { keyOfIndex } from '../../capture/client/index-key.ts'
import { requestOptions } from '../../capture/client/requests/queries.ts'
import { useCapture, useView } from '../../capture/client/view.ts'
import { factsOf as operationFacts, targetOf } from '../../features/activity/view/operation-target.ts'
import { taskWords } from '../../ravendb/operations-wire.ts'
import { queryKey, queryName } from '../../ravendb/query-key.ts'
import { PANELS } from '../panels.ts'
import type { PaletteItem } from './match.ts'
import { PANEL_WORDS, PLACES } from './places.ts'
import { useIndexes } from './useIndexes.ts'
import { useRunning } from './useRunning.ts'

const NO_FACTS: ActionFacts = {}
const OF_SERVER: ActionFacts = { isOfServer: true }
/** Maximum length of a text such as a query, in characters: one line of a list. */
const MOST_TEXT = 80

const shortened = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, MOST_TEXT)

interface Items {
  readonly items: readonly PaletteItem[]
  /** Why the list is not complete (yet), in words; null: it is. */
  readonly missing: string | null
  /** Sentence for a query without a match. */
  readonly nothing: string
}

/** Items that the palette can find. `query`: as typed. */
export function useItems(query: string): Items {
  const capture = useCapture()
  const { view, open } = useView()
  const session = useSession()
  const access = useAccess()
  const viewOnly = useViewOnly()
  const list = useDatabasesToActOn() ?? []
  const databases = view.sources.flatMap((source) => (source.startsWith('db:') ? [source.slice('db:'.length)] : []))
  const found = useIndexes(query, databases, list)
  const { queries, operations, missing } = useRunning()
  const { data: notices } = useQuery({ ...requestOptions(capture, 'server.alerts', null), staleTime: 1000 })
  /** `more`: further words by which it is found. */
  const actionsFor = (target: ActionTarget, facts: ActionFacts, more = ''): readonly PaletteItem[] =>
    offersOf(actionsOn(target.kind), { target, facts }, access, viewOnly).map((offer): PaletteItem => ({
      id: `action ${offer.title} ${target.kind} ${target.database ?? ''} ${target.name ?? ''}`,
      kind: 'Action',
      text: `${callWords(offer.action, offer.title, { target, inputs: offer.inputs })}${more === '' ? '' : ` · ${more}`}`,
      refusal: offer.refusal,
      run: () => {
        if (access !== null) choose(session, access, offer, [{ target, facts }])
      },
    }))
  const panels = PANELS.map(({ id, title }): PaletteItem => ({
    id: `panel ${id}`,
    kind: 'Panel',
    text: title,
    words: PANEL_WORDS[id] ?? '',
    refusal: null,
    run: () => open(id),
  }))
  const places = PLACES.map(({ panel, text, words, params }): PaletteItem => {
    const of = PANELS.find(({ id }) => id === panel)?.title ?? panel
    return {
      id: `place ${panel} ${text}`,
      kind: 'View',
      text: `${of} › ${text}`,
      words,
      refusal: null,
      run: () => open(panel, { params }),
    }
  })
  const rows = list.flatMap((row): readonly PaletteItem[] => {
    const { name } = row
    const go: PaletteItem = {
      id: `database ${name}`,
      kind: 'Database',
      text: name,
      refusal: null,
      run: () => open('database', { database: name }),
    }
    // A shard is managed by its parent's name, which the list does not have.
    if (row.isSharded) return [go]
    return [go].concat(actionsFor({ kind: 'database', database: name, name: null }, databaseFactsOf(row)))
  })
  const running = queries.flatMap(({ database, index, id, query }): readonly PaletteItem[] => {
    const key = queryKey({ database, index, id })
    const go: PaletteItem = {
      id: `query ${key}`,
      kind: 'Query',
      text: `Query ${id} on ${database}: ${shortened(query)}`,
      refusal: null,
      run: () => open('activity', { params: { 'activity.view': 'queries', 'activity.show': key } }),
    }
    return [go].concat(actionsFor({ kind: 'query', database, name: queryName(id, index) }, NO_FACTS, shortened(query)))
  })
  const indexes = found.indexes.flatMap(({ database, name, facts }): PaletteItem[] => {
    const target = { kind: 'index', database, name } as const
    const go: PaletteItem = {
      id: `index ${database} ${name}`,
      kind: 'Index',
      text: `${name} of ${database}`,
      refusal: null,
      run: () =>
        open('indexing', {
          sources: databases.includes(database) ? view.sources : [`db:${database}`],
          params: { 'indexing.view': 'indexes', 'indexing.focus': keyOfIndex(database, name) },
        }),
    }
    return facts === null ? [go] : [go, ...actionsFor(target, facts)]
  })
  const inProgress = operations.flatMap((operation): readonly PaletteItem[] => {
    const { database, id, task, description, query } = operation
    const words = shortened([taskWords(task), query ?? description].filter((text) => text !== '').join(': '))
    const go: PaletteItem = {
      id: `operation ${database ?? ''} ${id}`,
      kind: 'Operation',
      text: `Operation ${id} of ${database ?? 'the server'}: ${words}`,
      refusal: null,
      run: () =>
        open('activity', {
          params: { 'activity.view': 'operations', 'activity.database': database ?? '', 'activity.task': task },
        }),
    }
    const actions = operation.isKillable ? actionsFor(targetOf(operation), operationFacts(operation), words) : []
    return [go].concat(actions)
  })
  const alerts = (notices?.alerts ?? []).flatMap(({ id, title }): readonly PaletteItem[] => {
    const go: PaletteItem = {
      id: `notification ${id}`,
      kind: 'Notification',
      text: `Notification of the server: ${shortened(title)}`,
      refusal: null,
      run: () => open('server', { params: { 'server.view': 'alerts', 'server.show': id } }),
    }
    const target: ActionTarget = { kind: 'notification', database: null, name: id }
    return [go].concat(actionsFor(target, OF_SERVER, shortened(title)))
  })
  const lock: readonly PaletteItem[] =
    viewOnly === null
      ? []
      : [
          {
            id: 'view only',
            kind: 'Action',
            text: viewOnly.isOn ? 'View only: allow changes' : 'View only: forbid changes',
            refusal: viewOnly.isForced ? lockOf(viewOnly) : null,
            run: () => void session.viewOnly.set(!viewOnly.isOn),
          },
        ]
  const ofServer = actionsFor({ kind: 'server', database: null, name: null }, NO_FACTS)
  return {
    items: [...panels, ...places, ...rows, ...indexes, ...running, ...inProgress, ...alerts, ...ofServer, ...lock],
    missing,
    nothing: found.nothing,
  }
}
