import { useView } from '../../../capture/client/view.ts'
import { formatSettings, parseSettings, type DocumentsSettings } from './params.ts'

interface Open {
  readonly settings: DocumentsSettings
  /** Changes settings as a step in the browser's history. */
  readonly go: (settings: Partial<DocumentsSettings>) => void
}

/** Settings of the panel, and navigation within the same database. */
export function useOpen(): Open {
  const { view, change } = useView()
  return {
    settings: parseSettings(view.params),
    go: (settings) => change({ params: formatSettings(settings) }, { push: true }),
  }
}

/** Settings that open a document as text. */
export const openDocument = (id: string): Partial<DocumentsSettings> => ({ id, isNew: false, part: 'text' })
