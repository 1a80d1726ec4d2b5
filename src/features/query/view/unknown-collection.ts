import { shapeOf } from '../../../base/rql/shape.ts'
import type { QueryNames } from '../contract.ts'

/**
 * Collection that a query reads and that is not in the list; null: it is, or the query reads an index, all documents or
 * those without a collection. The server does not distinguish case in names of collections.
 */
export function unknownCollection(text: string, { collections }: Pick<QueryNames, 'collections'>): string | null {
  const { source } = shapeOf(text)
  // `@all_docs` and `@empty` are no collections, and the list need not have those of the server itself.
  if (source?.kind !== 'collection' || /^[@$]/.test(source.name)) return null
  const wanted = source.name.toLowerCase()
  return collections.some(({ name }) => name.toLowerCase() === wanted) ? null : source.name
}
