import {
  panelSettings,
  setting,
  switchedOn,
  text,
  textOrNull,
  type SettingsOf,
} from '../../../capture/client/panel-settings.ts'

/** Settings of the panel in the URL. Files are identified by name, since ids differ between pages. */
const SETTINGS = {
  /** Name of the chosen file; null: none. */
  file: textOrNull('file'),
  /** Path of the shown entry; null: none, or the file itself. */
  entry: textOrNull('entry'),
  /** Whether the file itself is shown. */
  isRaw: switchedOn('raw'),
  /** View of the document; null: log lines for a log, a tree for JSON. */
  as: setting(
    'as',
    (as) => (as === 'tree' || as === 'text' || as === 'table' || as === 'log' ? as : null),
    (as) => as ?? '',
  ),
  find: text('find'),
  /** Byte to show; null: the start. */
  at: setting(
    'at',
    (at = '') => (/^\d{1,15}$/.test(at) ? Number(at) : null),
    (at) => (at === null ? '' : String(at)),
  ),
  /** Text that the paths of listed entries contain. */
  filter: text('filter'),
  focusDrop: setting(
    'focus',
    (focus) => focus === 'drop',
    (isDrop) => (isDrop ? 'drop' : ''),
  ),
}

export type FilesSettings = SettingsOf<typeof SETTINGS>
export const { parse: parseSettings, format: formatSettings } = panelSettings('files', SETTINGS)

/** Settings of a viewer that are reset when another document is chosen. */
export const NO_DOCUMENT: Partial<FilesSettings> = { entry: null, isRaw: false, as: null, find: '', at: null }
