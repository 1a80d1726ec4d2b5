import type { CaptureClient } from '../../capture/client/client.ts'
import type { ActionFacts, ActionTarget } from '../model.ts'
import { databaseFactsOf, findDatabase } from './use-databases.ts'

/** Facts about an index or database as the server reports them now; null for others, and without a response. */
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
