import { formatList } from '../../../capture/client/param-text.ts'
import type { View } from '../../../capture/client/view.ts'

/** Its lane, open, whatever was filtered before. */
export function toIndex(database: string, index: string): Partial<View> {
  const source = `db:${database}` as const
  const key = `${source}|${index}`
  return {
    sources: [source],
    params: {
      'indexing.view': '',
      'indexing.find': '',
      'indexing.focus': key,
      'indexing.open': formatList(new Set([key])),
    },
  }
}

/** The page of a database. */
export const toDatabase = (name: string): Partial<View> => ({
  params: { 'databases.open': name },
})
