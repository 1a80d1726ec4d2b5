import {
  paramsOfPanel,
  toLinkParams,
  type LinkParams,
  type ParamsToWrite,
  type ViewParams,
} from '../../../capture/client/panels.ts'

/** What the panel keeps in the URL. Files are named: their ids are new in every page. */
export interface FilesSettings {
  /** Name of the chosen file; null: none. */
  readonly file: string | null
  /** Path of the entry that is looked at; null: none, or the file itself. */
  readonly entry: string | null
  /** The file itself is looked at. */
  readonly isRaw: boolean
  /** Null: a tree where it is JSON. */
  readonly as: 'tree' | 'text' | null
  readonly find: string
  /** The byte that is looked at; null: the beginning. */
  readonly at: number | null
  /** Entries whose path contains this. */
  readonly filter: string
  readonly focusDrop: boolean
}

/** Parts of the settings → parameters; an empty string removes one. */
export function formatSettings(settings: Partial<FilesSettings>): LinkParams {
  const { file, entry, isRaw, as, find, at, filter, focusDrop } = settings
  const params: ParamsToWrite<'files'> = {}
  if (file !== undefined) params.file = file ?? ''
  if (entry !== undefined) params.entry = entry ?? ''
  if (isRaw !== undefined) params.raw = isRaw ? 'on' : ''
  if (as !== undefined) params.as = as ?? ''
  if (find !== undefined) params.find = find
  if (at !== undefined) params.at = at === null ? '' : String(at)
  if (filter !== undefined) params.filter = filter
  if (focusDrop !== undefined) params.focus = focusDrop ? 'drop' : ''
  return toLinkParams('files', params)
}

/** Parameters → settings; what is missing or not understood is the default. */
export function parseSettings(params: ViewParams): FilesSettings {
  const { file, entry, raw, as, find, at = '', filter, focus } = paramsOfPanel('files', params)
  return {
    file: file ?? null,
    entry: entry ?? null,
    isRaw: raw === 'on',
    as: as === 'tree' || as === 'text' ? as : null,
    find: find ?? '',
    at: /^\d{1,15}$/.test(at) ? Number(at) : null,
    filter: filter ?? '',
    focusDrop: focus === 'drop',
  }
}

/** What a viewer leaves behind when another document is chosen. */
export const NO_DOCUMENT: Partial<FilesSettings> = { entry: null, isRaw: false, as: null, find: '', at: null }
