import { formatBytes, formatDateTime, formatLeastBytes, formatPlural } from '../../base/text/format.ts'
import { offers, type ServerVersion } from '../../ravendb/versions.ts'
import type { ActionCall, ActionFacts } from '../model.ts'
import type { ReadDatabase } from './database-reading.ts'

/* How sentences name a database and say how much it holds. */

export const KEPT = 'What this page has recorded of it stays in the capture.'

export const databaseWords = ({ isDisabled, upTimeMs }: Pick<ReadDatabase, 'isDisabled' | 'upTimeMs'>): string =>
  `The database is ${isDisabled ? 'disabled' : `enabled, and ${upTimeMs === null ? 'not loaded' : 'loaded'}`}.`

export const nameOf = ({ target }: ActionCall): string => target.database ?? ''
export const named = (call: ActionCall): string => `“${nameOf(call)}”`

/** Whether the server may load it for the request. A faulted, disabled or loading database answers none. */
export const canBeLoaded = ({ state }: ActionFacts): boolean =>
  state === undefined || state === 'online' || state === 'unloaded'

export const isUnloaded = ({ state }: ActionFacts): boolean => state === 'unloaded'

/** `It is not loaded: the server loads it first. `; empty: it is loaded, as far as known. */
export const loadsFirst = ({ facts }: ActionCall): string =>
  isUnloaded(facts) ? 'It is not loaded: the server loads it first. ' : ''

/**
 * ` (12,000 documents, at least 3.4 MiB on disk)`; empty: neither is known. For a loaded database the server's sum
 * omits journals that wait for a data sync.
 */
export function howMuch(facts: ActionFacts): string {
  const { documents, sizeBytes } = facts
  const parts = [
    ...(documents === undefined ? [] : [formatPlural(documents, 'document')]),
    ...(sizeBytes === undefined
      ? []
      : [`${isUnloaded(facts) ? formatBytes(sizeBytes) : `at least ${formatLeastBytes(sizeBytes)}`} on disk`]),
  ]
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

/** ` Its last backup is of 2026-11-22 00:39:54 UTC.`, or that this is not known if the server has not reported it. */
export function lastBackup({ lastBackupTicks }: ActionFacts): string {
  if (lastBackupTicks === undefined) return ' When it was last backed up is not known now.'
  if (lastBackupTicks === null) return ' The server knows of no backup of it.'
  return ` Its last backup is of ${formatDateTime(lastBackupTicks, 'utc', 0)} UTC.`
}

/** Whether a reset builds a replacement, which a change of the record or a new load discards (7.1.5, 6.2.4). */
export const resetsBeside = (version: ServerVersion): boolean => offers(version, [6, 2])

/** ` What a reset …`; empty: this version builds no replacement. */
export const discardsResets = (version: ServerVersion): string =>
  resetsBeside(version) ? ' What a reset side by side has built so far in it, which the server discards.' : ''
