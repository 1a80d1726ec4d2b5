import type { CaptureClient } from '../../capture/client/client.ts'
import type { ActionFacts, ActionTarget } from '../model.ts'
import { databaseFactsOf, findDatabase } from './use-databases.ts'

/** What the server reports of an index or database now, null of others, and where it does not respond or has it no more. */
export async function factsNow(
  client: CaptureClient,
  { kind, database, name }: ActionTarget,
): Promise<ActionFacts | null> {
  if (database === null) return null
  try {
    if (kind === 'index') {
      const list = await client.request('actions.indexes', { database, isFresh: true })
      return (list.loaded ? list.indexes.find((index) => index.name === name)?.facts : null) ?? null
    }
    if (kind !== 'database') return null
    const list = await client.request('databases.list', { have: null })
    const row = findDatabase(list?.rows ?? [], database)
    return row === undefined ? null : databaseFactsOf(row)
  } catch {
    return null
  }
}
