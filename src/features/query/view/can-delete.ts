import { tokensOf } from '../../../base/rql/tokens.ts'
import type { QueryPage, QueryText } from '../contract.ts'

/**
 * Keywords of a query whose results are not whole documents, or not all documents that it finds. “Delete by query”
 * would then delete other documents than the results on screen.
 */
const OF_OTHERS = /^(?:select|include|group|load|filter|limit|offset)$/i

/** Whether the results are whole documents, and all that exactly this text finds. */
export const canDelete = (
  { text }: Pick<QueryText, 'text'>,
  { total, scanned }: Pick<QueryPage, 'total' | 'scanned'>,
): boolean =>
  total !== null &&
  total > 0 &&
  scanned === 0 &&
  !tokensOf(text).some(({ kind, text: word }) => kind === 'keyword' && OF_OTHERS.test(word))
