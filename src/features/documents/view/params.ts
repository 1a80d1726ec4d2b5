import {
  choice,
  panelSettings,
  switchedOn,
  text,
  textOrNull,
  type SettingsOf,
} from '../../../capture/client/panel-settings.ts'

const SETTINGS = {
  /** Collection to list; null: all documents. */
  collection: textOrNull('collection'),
  prefix: text('prefix'),
  /** Id of the open document; null: the list is shown. */
  id: textOrNull('id'),
  isNew: switchedOn('new'),
  /** Part shown beside the text; `text`: only the text. */
  part: choice('part', 'text', ['tree', 'references', 'revisions', 'attachments', 'counters', 'series']),
} as const

const settings = panelSettings('documents', SETTINGS)
export const parseSettings = settings.parse
export const formatSettings = settings.format
export type DocumentsSettings = SettingsOf<typeof SETTINGS>
