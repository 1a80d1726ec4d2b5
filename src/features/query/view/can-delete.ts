import { tokensOf } from '../../../base/rql/tokens.ts'
import type { QueryPage, QueryText } from '../contract.ts'

/**
 * Words of a query whose results are not whole documents, or not all that it finds: a deletion of what it finds would be of
 * other documents than the results on screen.
 */
const OF_OTHERS = /^(?:select|include|group|load|filter|limit|offset)$/i

/** Whether the results are whole documents, all of those that this very text finds. */
export const canDelete = (
  { text }: Pick<QueryText, 'text'>,
  { total, scanned }: Pick<QueryPage, 'total' | 'scanned'>,
): boolean =>
  total !== null &&
  total > 0 &&
  scanned === 0 &&
  !tokensOf(text).some(({ kind, text: word }) => kind === 'keyword' && OF_OTHERS.test(word))
