import { formatCount, formatPlural } from '../../base/text/format.ts'
import { offers, type ServerVersion } from '../../ravendb/versions.ts'
import {
  AS_IT_WAS,
  type OnFailure,
  type Action,
  type ActionFacts,
  type ActionCall,
  type ActionRequest,
  type CheckResult,
  type Recorded,
} from '../model.ts'
import { resetsBeside } from './database-words.ts'
import { MEASURE_INDEX_ERRORS, MEASURE_INDEX_GONE } from './measures.ts'
import {
  checkIndex,
  checkState,
  isBeingReplaced,
  NO_INDEX,
  REPLACEMENT_OF,
  stateWords,
  type ReadIndex,
} from './index-reading.ts'
import { checkReplacement, NOT_ANOTHER, notReplaced } from './index-identity.ts'

/* Actions on an index. Roles and traps as measured on 7.1.5, 6.2.4 and 5.4.207. */

const pathOf = ({ target }: ActionCall, ...rest: string[]): readonly string[] => [
  'databases',
  target.database ?? '',
  ...rest,
]
const nameOf = ({ target }: ActionCall): string => target.name ?? ''
const named = (call: ActionCall): string => `“${nameOf(call)}”`

const isReplacement = (call: ActionCall): boolean => nameOf(call).startsWith(REPLACEMENT_OF)

const isDisabled = ({ state, status }: Pick<ActionFacts, 'state' | 'status'>): boolean =>
  state === 'Disabled' || status === 'Disabled'
const isErrored = ({ state, isInvalid }: ActionFacts): boolean => state === 'Error' || isInvalid === true

/** `800 documents, about 14 min at its last rate of 1/s`, the known parts; empty: not known. */
const howLong = (facts: ActionFacts): string =>
  facts.documents === undefined ? '' : `${formatPlural(facts.documents, 'document')}${rateWords(facts)}`

/** `, about 14 min at its last rate of 1/s`; empty: not known. */
function rateWords({ documents, perSecond }: ActionFacts): string {
  if (documents === undefined || perSecond === undefined || perSecond < 1) return ''
  const seconds = documents / perSecond
  const words = seconds < 90 ? `${formatCount(Math.ceil(seconds))} s` : `${formatCount(Math.ceil(seconds / 60))} min`
  return `, about ${words} at its last rate of ${formatCount(Math.round(perSecond))}/s`
}

const entriesOf = ({ entries }: ActionFacts): string =>
  entries === undefined ? 'its entries' : `its ${formatPlural(entries, 'entry', 'entries')}`

const rebuilds = (index: ReadIndex): CheckResult =>
  isDisabled({ state: index.state, ...(index.status === null ? {} : { status: index.status }) }) ||
  index.status === 'Paused'
    ? { state: 'done', text: `It was emptied, and does not index: ${stateWords(index)}` }
    : index.isStale
      ? {
          state: 'running',
          text: `It is being rebuilt: ${formatPlural(index.entries ?? 0, 'entry', 'entries')} so far.`,
        }
      : { state: 'done', text: `It is up to date, with ${formatPlural(index.entries ?? 0, 'entry', 'entries')}.` }

const priorityPreset = (priority: string) => ({ text: `Set priority ${priority.toLowerCase()}`, inputs: { priority } })

/** 5.4 deletes an index whatever its lock mode. */
const lockWords = ({ lock }: ActionFacts, isHeeded: boolean): string =>
  lock === undefined || lock === 'Unlock'
    ? ''
    : isHeeded
      ? ' It is locked: the server will not delete it.'
      : ' It is locked, which this version does not heed.'

const LOCKS: Readonly<Record<string, string>> = {
  Unlock: 'Unlock',
  LockedIgnore: 'Lock, ignore changes',
  LockedError: 'Lock, refuse changes',
}

/**
 * Measured on 7.1.5 and 6.2.4: what a reset builds is in no record, so that the next change of the record discards it.
 * `own`: how many of these the action is meant for.
 */
const discards =
  (own: number) =>
  ({ facts: { rebuilding } }: ActionCall, version: ServerVersion): string | null =>
    !resetsBeside(version) || (rebuilding !== undefined && rebuilding <= own)
      ? null
      : rebuilding === undefined
        ? 'What a reset side by side may have built in this database, which is not known now: the server discards it.'
        : `What a reset side by side has built so far ${own === 0 ? 'in this database' : 'of other indexes of this database'}: the server discards it.`
const discarded = discards(0)

const changesRecord = {
  confirmsAt: ({ rebuilding }, version) => resetsBeside(version) && rebuilding !== 0,
  loss: discarded,
} satisfies Partial<Action>

/** Request for the index of the call, by its name in the query. */
const requestTo =
  (method: ActionRequest['method'], path: readonly string[], parts: Pick<ActionRequest, 'query' | 'isRaft'> = {}) =>
  (call: ActionCall): ActionRequest => ({
    ...parts,
    method,
    path: pathOf(call, ...path),
    query: { name: nameOf(call), ...parts.query },
  })

const INDEX_RESET: OnFailure = {
  leaves:
    'Without disk space an index that stays empty, or is not in use, until there is space again, or the database is loaded then. After a server was killed, it is built when the server starts.',
}

const BATCHES = { kind: 'index-batches' } as const satisfies Recorded

const COMMON = {
  onFailure: AS_IT_WAS,
  target: 'index',
  right: 'DatabaseWrite',
  confirm: 'confirm',
  loss: () => null,
} satisfies Partial<Action>

/** Common parts of the actions that pause and resume an index on this node. */
const SWITCH = {
  ...COMMON,
  right: 'DatabaseAdmin',
  confirm: 'none',
  read: 'state and status in `indexes/stats`',
  recorded: BATCHES,
} satisfies Partial<Action>

const ON_THIS_NODE = { query: { clusterWide: 'false' } }

export const INDEX_ACTIONS: readonly Action[] = [
  {
    ...SWITCH,
    id: 'index.pause',
    title: 'Pause indexing',
    done: 'Paused',
    applies: (facts) => facts.status !== 'Paused' && !isDisabled(facts) && !isErrored(facts),
    request: requestTo('POST', ['admin', 'indexes', 'stop']),
    consequence: (call) =>
      `${named(call)} stops indexing on this node: queries on it answer with what it has, and are stale once documents change. It resumes by itself when the database is loaded again.`,
    check: checkState(({ status }) => status === 'Paused', stateWords),
    inverse: () => ({ action: 'index.resume', inputs: {} }),
    reminds: 'paused',
  },
  {
    ...SWITCH,
    id: 'index.resume',
    title: 'Resume indexing',
    done: 'Resumed',
    applies: (facts) =>
      (facts.status === undefined || facts.status === 'Paused') && !isDisabled(facts) && !isErrored(facts),
    request: requestTo('POST', ['admin', 'indexes', 'start']),
    consequence: (call) => `${named(call)} continues to index on this node.`,
    check: checkState(
      ({ state, status }) => status !== 'Paused' && !isDisabled({ state, status: status ?? '' }),
      stateWords,
    ),
    inverse: () => ({ action: 'index.pause', inputs: {} }),
  },
  {
    ...SWITCH,
    id: 'index.disable',
    title: 'Disable',
    done: 'Disabled',
    confirm: 'confirm',
    applies: (facts) => !isDisabled(facts),
    refuses: notReplaced('disabled'),
    request: requestTo('POST', ['admin', 'indexes', 'disable'], ON_THIS_NODE),
    consequence: (call) =>
      `${named(call)} stops on this node until it is enabled, over restarts too. Queries on it answer with what it has, and are stale once documents change.`,
    check: checkState(({ state, status }) => isDisabled({ state, status: status ?? '' }), stateWords),
    inverse: () => ({ action: 'index.enable', inputs: {} }),
    reminds: 'disabled',
  },
  {
    ...SWITCH,
    id: 'index.enable',
    title: 'Enable',
    done: 'Enabled',
    applies: (facts) => (facts.state === undefined && facts.status === undefined) || isDisabled(facts),
    request: requestTo('POST', ['admin', 'indexes', 'enable'], ON_THIS_NODE),
    consequence: (call) => `${named(call)} indexes again on this node, beginning with what changed meanwhile.`,
    check: checkState(({ state, status }) => !isDisabled({ state, status: status ?? '' }), stateWords),
    inverse: () => ({ action: 'index.disable', inputs: {} }),
  },
  {
    ...COMMON,
    id: 'index.reset-side-by-side',
    title: 'Reset side by side',
    done: 'Reset side by side',
    since: [6, 2],
    applies: ({ isAuto, hasReplacement }) => isAuto !== true && hasReplacement !== true,
    request: requestTo('RESET', ['indexes'], { query: { mode: 'SideBySide' }, isRaft: true }),
    consequence: (call) =>
      `A replacement of ${named(call)} is built beside it${howLong(call.facts) === '' ? '' : ` from ${howLong(call.facts)}`}. Until it is up to date, queries go on answering from the old one; both take CPU, memory and disk meanwhile.`,
    loss: () =>
      'The errors that are kept of it, and its recorded batches, are gone once it is replaced. Until then the server discards the replacement at any change of priority, lock mode, indexes or settings in its database, by any client, and whenever the database is loaded again.',
    read: '`ReplacementOf/…` and the time of creation in `indexes/stats`',
    isLong: true,
    // A busy server begins to build it late.
    settleMs: 15_000,
    onFailure: { leaves: 'The index as it was. Of a server that is killed, the replacement is gone.' },
    refuses: NOT_ANOTHER,
    check: checkReplacement,
    inverse: () => ({ action: 'index.discard-replacement', inputs: {} }),
    recorded: { ...BATCHES, rebuild: 'beside' },
  },
  {
    ...COMMON,
    id: 'index.reset',
    title: 'Reset in place',
    done: 'Reset in place',
    applies: () => true,
    request: (call, version) => ({
      method: 'RESET',
      path: pathOf(call, 'indexes'),
      query: offers(version, [6, 2]) ? { name: nameOf(call), mode: 'InPlace' } : { name: nameOf(call) },
      isRaft: true,
    }),
    consequence: (call) =>
      `${named(call)} drops ${entriesOf(call.facts)} and indexes again${howLong(call.facts) === '' ? '' : ` ${howLong(call.facts)}`}. Until then queries on it miss results.`,
    loss: () =>
      'Results of queries are incomplete until it is rebuilt. The errors that are kept of it, and its recorded batches, are gone. Locks do not prevent it.',
    read: 'the time of creation in `indexes/stats`, then until it is not stale',
    isLong: true,
    onFailure: INDEX_RESET,
    refuses: NOT_ANOTHER,
    check: (context) =>
      checkIndex(context, ({ index }) => {
        if (index === null) return NO_INDEX
        const { createdAt } = context.call.facts
        if (createdAt === undefined && context.accepted === null) return { state: 'unknown', text: stateWords(index) }
        if (isBeingReplaced(index)) return { state: 'running', text: 'It is being reset.' }
        return index.createdAt === createdAt
          ? { state: 'unchanged', text: 'It is still the index that was there before.' }
          : { ...rebuilds(index), ...(index.createdAt === null ? {} : { made: index.createdAt }) }
      }),
    recorded: { ...BATCHES, rebuild: 'itself' },
  },
  {
    ...COMMON,
    id: 'index.swap',
    title: 'Swap the replacement in now',
    done: 'Swapped',
    removes: true,
    applies: ({ hasReplacement }) => hasReplacement === true,
    request: requestTo('POST', ['indexes', 'replace']),
    consequence: (call) =>
      `The replacement of ${named(call)} takes its place at once${call.facts.replacementDone === undefined ? '' : `, at ${formatCount(Math.floor(call.facts.replacementDone * 100))} % of its documents`}, and goes on indexing.`,
    loss: () => 'Queries miss what the replacement has not indexed yet. The old entries are gone.',
    read: '`ReplacementOf/…` in `indexes/stats`',
    check: (context) =>
      checkIndex(context, ({ index, replacement }) =>
        index === null
          ? NO_INDEX
          : replacement === null
            ? { state: 'done', text: `No replacement is left. ${stateWords(index)}` }
            : { state: 'unchanged', text: 'The replacement is still beside the index.' },
      ),
    recorded: BATCHES,
  },
  {
    ...COMMON,
    id: 'index.discard-replacement',
    title: 'Discard the replacement',
    done: 'Replacement discarded',
    removes: true,
    applies: ({ hasReplacement }) => hasReplacement === true,
    request: (call) => ({
      method: 'DELETE',
      path: pathOf(call, 'indexes'),
      query: { name: REPLACEMENT_OF + nameOf(call) },
      isRaft: true,
    }),
    consequence: (call) =>
      `The replacement of ${named(call)} is deleted; the index that answers queries stays as it is.`,
    loss: (call, version) => {
      const others = call.facts.rebuilding === undefined ? null : discards(1)(call, version)
      return `The work of building the replacement so far, and its new definition if it had one.${others === null ? '' : ` ${others}`}`
    },
    read: '`ReplacementOf/…` in `indexes/stats`',
    check: (context) =>
      checkIndex(context, ({ replacement }) =>
        replacement === null
          ? { state: 'done', text: 'No replacement is left.' }
          : { state: 'unchanged', text: 'The replacement is still beside the index.' },
      ),
  },
  {
    ...COMMON,
    ...changesRecord,
    id: 'index.priority',
    title: 'Set priority',
    done: 'Priority changed',
    confirm: 'none',
    presets: ['Low', 'Normal', 'High'].map(priorityPreset),
    applies: (facts, inputs) => facts.priority !== inputs['priority'],
    request: (call) => ({
      method: 'POST',
      path: pathOf(call, 'indexes', 'set-priority'),
      body: { IndexNames: [nameOf(call)], Priority: call.inputs['priority'] ?? 'Normal' },
      isRaft: true,
    }),
    consequence: (call) =>
      `The thread of ${named(call)} runs with ${(call.inputs['priority'] ?? 'normal').toLowerCase()} priority on all nodes.`,
    read: 'priority in `indexes/stats`',
    check: checkState(
      (index, inputs) => index.priority === inputs['priority'],
      ({ priority }) => `The server reports priority ${priority ?? 'unknown'}.`,
    ),
    inverse: ({ facts }) =>
      facts.priority === undefined ? null : { action: 'index.priority', inputs: { priority: facts.priority } },
    recorded: BATCHES,
  },
  {
    ...COMMON,
    ...changesRecord,
    id: 'index.lock',
    title: 'Set lock mode',
    done: 'Lock mode changed',
    confirm: 'none',
    presets: Object.entries(LOCKS).map(([mode, text]) => ({ text, inputs: { mode } })),
    applies: ({ isAuto, lock }, inputs) => isAuto !== true && lock !== inputs['mode'],
    request: (call) => ({
      method: 'POST',
      path: pathOf(call, 'indexes', 'set-lock'),
      body: { IndexNames: [nameOf(call)], Mode: call.inputs['mode'] ?? 'Unlock' },
      isRaft: true,
    }),
    consequence: (call) =>
      call.inputs['mode'] === 'Unlock'
        ? `The definition of ${named(call)} can be changed and deleted.`
        : `Changes of the definition of ${named(call)}, and its deletion, are ${call.inputs['mode'] === 'LockedIgnore' ? 'ignored without an error' : 'refused with an error'}. A reset is not prevented.`,
    read: 'lock mode in `indexes/stats`',
    check: checkState(
      (index, inputs) => index.lock === inputs['mode'],
      ({ lock }) => `The server reports lock mode ${lock ?? 'unknown'}.`,
    ),
    inverse: ({ facts }) => (facts.lock === undefined ? null : { action: 'index.lock', inputs: { mode: facts.lock } }),
  },
  {
    ...COMMON,
    id: 'index.clear-errors',
    title: 'Clear errors',
    done: 'Errors cleared',
    removes: true,
    confirm: 'none',
    applies: ({ errors }) => errors === undefined || errors > 0,
    request: requestTo('DELETE', ['indexes', 'errors']),
    consequence: (call) =>
      `The server forgets ${call.facts.errors === undefined ? 'the errors' : `the ${formatPlural(call.facts.errors, 'error')}`} that it keeps of ${named(call)}. Documents that failed stay missing from the index, and an index in the state Error stays stopped.`,
    loss: () => 'The texts of the errors.',
    measure: MEASURE_INDEX_ERRORS,
    read: 'the number of errors in `indexes/stats`',
    check: checkState(
      ({ errors }) => errors === 0,
      ({ errors }) =>
        errors === 0 ? 'No errors are kept any more.' : `${formatPlural(errors, 'error')} of it are kept.`,
    ),
  },
  {
    ...COMMON,
    id: 'index.delete',
    title: 'Delete',
    done: 'Deleted',
    removes: true,
    confirm: 'type-name',
    applies: () => true,
    request: requestTo('DELETE', ['indexes'], { isRaft: true }),
    consequence: (call, version) =>
      `${named(call)} is deleted with ${entriesOf(call.facts)} on all nodes; queries that name it fail${isReplacement(call) ? '' : ', others may create an auto index'}.${lockWords(call.facts, offers(version, [6, 0]))}`,
    loss: (call, version) => {
      const others = call.facts.rebuilding === undefined ? null : discards(isReplacement(call) ? 1 : 0)(call, version)
      return `The definition, unless it is kept elsewhere. To build it again, ${call.facts.documents === undefined ? 'all of its documents' : formatPlural(call.facts.documents, 'document')} are indexed${rateWords(call.facts)}.${others === null ? '' : ` ${others}`}`
    },
    measure: MEASURE_INDEX_GONE,
    read: 'that `indexes/stats` has no such index',
    refuses: notReplaced('deleted'),
    check: (context) =>
      checkIndex(context, ({ index }) => {
        if (index === null) return { state: 'done', text: 'The index does not exist any more.' }
        const { createdAt } = context.call.facts
        if (createdAt !== undefined && index.createdAt !== null && index.createdAt !== createdAt)
          return {
            state: 'unknown',
            text: 'An index of this name was created after the one that was to be deleted: another client has reset it, or created it again.',
            isLast: true,
          }
        const isLocked = index.lock !== null && index.lock !== 'Unlock'
        return {
          state: 'unchanged',
          text: isLocked ? `The index still exists: its lock mode is ${index.lock}.` : 'The index still exists.',
        }
      }),
  },
]
