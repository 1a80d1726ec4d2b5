import { keyOfIndex } from './index-key.ts'
import type { LinkParams } from './panels.ts'
import { formatList } from './param-text.ts'

/** Maximum number of lanes with their operations in one view. */
const MOST_OPEN = 5

/** Link to Indexing with the lanes of these indexes open, whatever was filtered before. */
export function toIndexLanes(database: string, indexes: readonly string[]): LinkParams {
  const keys = indexes.map((index) => keyOfIndex(database, index))
  return {
    'indexing.view': '',
    'indexing.find': '',
    'indexing.focus': keys.length === 1 ? keys.join('') : '',
    'indexing.open': formatList(new Set(keys.slice(0, MOST_OPEN))),
  }
}
