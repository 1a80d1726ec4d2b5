import { formatPlural } from '../../base/text/format.ts'
import type { Action, ActionCall, CheckContext, CheckResult } from '../model.ts'
import { checkIndex, isBeingReplaced, NO_INDEX, readIndexes, REPLACEMENT_OF, stateWords } from './index-reading.ts'

/* Identity of an index: a name stands for several over time, distinguished by their time of creation. */

type Indexes = ReturnType<typeof readIndexes>

/** Why the index of a call is another one than was chosen; null: it is the same, or that is not known. */
function anotherIn(all: Indexes, { facts: { createdAt }, target: { name } }: ActionCall): string | null {
  const now = all.get((name ?? '').toLowerCase())?.createdAt ?? null
  return createdAt === undefined || now === null || now === createdAt
    ? null
    : `“${name ?? ''}” was created again, or reset, since it was chosen: look at it, then choose again.`
}

/** Refuses an index that was created after the call was chosen. */
export const NOT_ANOTHER = {
  where: 'the index was created again or reset since it was chosen',
  read: async ({ call, read }) => {
    const { database, name } = call.target
    if (call.facts.createdAt === undefined || database === null || name === null) return null
    return anotherIn(readIndexes(await read('indexesStats', { database })), call)
  },
} satisfies Action['refuses']

/**
 * Time, ms, for which the swap of a replacement goes on after its index shows up as finished. With a deletion at once
 * the server hung in the 14th, 21st and 5th round on 7.1.5, 6.2.4 and 5.4.207; a second later in none of 40.
 */
const SWAP_REST_MS = 1000

/** Why the server may hang if the thread of the call's index is ended now; null: nothing speaks for it. */
function swapIn(all: Indexes, { target: { name } }: ActionCall, done: string): string | null {
  const key = (name ?? '').toLowerCase()
  const index = all.get(key)
  const risk = `If an index is ${done} while a replacement takes its place, RavenDB can hang, and then changes no index of the database until the server is restarted.`
  if (all.has(REPLACEMENT_OF.toLowerCase() + key))
    return `“${name ?? ''}” has a replacement. ${risk} Discard the replacement first, or wait until it has taken over.`
  return index !== undefined && isBeingReplaced(index)
    ? `A replacement is taking the place of “${name ?? ''}”. ${risk} Wait until it has taken over.`
    : null
}

/**
 * Refuses an index that has a replacement, as well as another one than was chosen. A deletion waits for the index’s
 * thread with the record of its database locked, and that thread, while it swaps the replacement in, for the deletion:
 * for good, on 7.1.5, 6.2.4 and 5.4.207. So it is where an index is disabled on this node. Save, reset, pause, change of
 * priority or lock mode, and compaction did not hang in 24 to 80 rounds of each on 7.1.5.
 */
export const notReplaced = (done: 'deleted' | 'disabled'): NonNullable<Action['refuses']> => ({
  where: `${NOT_ANOTHER.where}, or has a replacement`,
  read: async ({ call, read, wait }) => {
    const { database, name } = call.target
    if (database === null || name === null) return null
    const all = readIndexes(await read('indexesStats', { database }))
    const refusal = anotherIn(all, call) ?? swapIn(all, call, done)
    if (refusal !== null) return refusal
    await wait(SWAP_REST_MS)
    const createdAt = all.get(name.toLowerCase())?.createdAt ?? null
    const seen = createdAt === null ? call : { ...call, facts: { ...call.facts, createdAt } }
    const later = readIndexes(await read('indexesStats', { database }))
    return anotherIn(later, seen) ?? swapIn(later, call, done)
  },
})

/**
 * Follows the replacement of an index by its creation time, which the index takes over when it is swapped in. A
 * replacement that is being built may belong to a later reset. Measured on 7.1.5 and 6.2.4.
 */
export const checkReplacement = (context: CheckContext): Promise<CheckResult> =>
  checkIndex(context, ({ index, replacement }) => {
    const seen = context.made
    const isOwn = replacement !== null && (seen === undefined || replacement.createdAt === seen)
    if (isOwn) {
      const { createdAt, entries, state } = replacement
      const text = `The replacement has ${formatPlural(entries ?? 0, 'entry', 'entries')}${state === 'Error' ? ', and is in error' : ''}.`
      return { state: 'running', text, ...(createdAt === null ? {} : { made: createdAt }) }
    }
    if (index === null) return NO_INDEX
    if (isBeingReplaced(index)) return { state: 'running', text: 'The replacement takes its place.' }
    const { createdAt } = context.call.facts
    if (seen !== undefined && index.createdAt === seen) return DONE(index.entries)
    if (index.createdAt === createdAt || (seen !== undefined && replacement !== null))
      return {
        state: 'unchanged',
        text:
          replacement === null
            ? 'No replacement is being built (any more), and the index is the old one. A change of the database’s indexes or settings discards one.'
            : 'Its replacement was discarded. Another one is being built, which a later reset began.',
        isLast: replacement !== null,
      }
    if (createdAt === undefined)
      return { state: 'unknown', text: `No replacement is being built. ${stateWords(index)}` }
    // Without this, the next index of that name would count as a replacement that was never seen.
    return seen === undefined
      ? DONE(index.entries)
      : {
          state: 'unknown',
          text: 'The index is neither the old one nor its replacement: another client has reset it.',
          isLast: true,
        }
  })

const DONE = (entries: number | null): CheckResult => ({
  state: 'done',
  text: `It was replaced, and has ${formatPlural(entries ?? 0, 'entry', 'entries')}.`,
})
