import {
  choice,
  panelSettings,
  switchedOn,
  text,
  textOrNull,
  type SettingsOf,
} from '../../../capture/client/panel-settings.ts'

const SETTINGS = {
  /** Null: all documents. */
  collection: textOrNull('collection'),
  prefix: text('prefix'),
  /** Null: the list is shown. */
  id: textOrNull('id'),
  isNew: switchedOn('new'),
  /** Beside the text; null: only the text. */
  part: choice('part', 'text', ['tree', 'revisions', 'attachments', 'counters', 'series']),
} as const

const settings = panelSettings('documents', SETTINGS)
export const parseSettings = settings.parse
export const formatSettings = settings.format
export type DocumentsSettings = SettingsOf<typeof SETTINGS>
