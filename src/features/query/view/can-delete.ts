import { memberOf } from '../../../base/json/exact.ts'
import { tokensOf } from '../../../base/rql/tokens.ts'
import type { QueryPage, QueryText } from '../contract.ts'

/**
 * Keywords of a query whose results are not whole documents, or not all documents that it finds. “Delete by query”
 * would then delete other documents than the results on screen.
 */
const OF_OTHERS = /^(?:select|include|group|load|filter|limit|offset)$/i

/** Whether the results are whole documents, which those of map-reduce are not, and all that exactly this text finds. */
export const canDelete = (
  { text }: Pick<QueryText, 'text'>,
  { rows, total, scanned }: Pick<QueryPage, 'rows' | 'total' | 'scanned'>,
): boolean =>
  total !== null &&
  total > 0 &&
  scanned === 0 &&
  rows.every((row) => memberOf(memberOf(row, '@metadata') ?? '{}', '@id') !== null) &&
  !tokensOf(text).some(({ kind, text: word }) => kind === 'keyword' && OF_OTHERS.test(word))
