import {
  panelSettings,
  setting,
  switchedOn,
  text,
  textOrNull,
  type SettingsOf,
} from '../../../capture/client/panel-settings.ts'

/** Settings of the panel in the URL. Files are named: their ids are new in every page. */
const SETTINGS = {
  /** Name of the chosen file; null: none. */
  file: textOrNull('file'),
  /** Path of the entry that is looked at; null: none, or the file itself. */
  entry: textOrNull('entry'),
  /** The file itself is looked at. */
  isRaw: switchedOn('raw'),
  /** View of the document; null means a log where it is one, a tree where it is JSON. */
  as: setting(
    'as',
    (as) => (as === 'tree' || as === 'text' || as === 'table' || as === 'log' ? as : null),
    (as) => as ?? '',
  ),
  find: text('find'),
  /** The byte that is looked at; null: the beginning. */
  at: setting(
    'at',
    (at = '') => (/^\d{1,15}$/.test(at) ? Number(at) : null),
    (at) => (at === null ? '' : String(at)),
  ),
  /** Entries whose path contains this. */
  filter: text('filter'),
  focusDrop: setting(
    'focus',
    (focus) => focus === 'drop',
    (isDrop) => (isDrop ? 'drop' : ''),
  ),
}

export type FilesSettings = SettingsOf<typeof SETTINGS>
export const { parse: parseSettings, format: formatSettings } = panelSettings('files', SETTINGS)

/** Settings of a viewer that go when another document is chosen. */
export const NO_DOCUMENT: Partial<FilesSettings> = { entry: null, isRaw: false, as: null, find: '', at: null }
