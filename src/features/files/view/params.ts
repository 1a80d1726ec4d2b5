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
export function formatSettings(settings: Partial<FilesSettings>): Record<string, string> {
  const { file, entry, isRaw, as, find, at, filter, focusDrop } = settings
  const params: Record<string, string> = {}
  if (file !== undefined) params['files.file'] = file ?? ''
  if (entry !== undefined) params['files.entry'] = entry ?? ''
  if (isRaw !== undefined) params['files.raw'] = isRaw ? 'on' : ''
  if (as !== undefined) params['files.as'] = as ?? ''
  if (find !== undefined) params['files.find'] = find
  if (at !== undefined) params['files.at'] = at === null ? '' : String(at)
  if (filter !== undefined) params['files.filter'] = filter
  if (focusDrop !== undefined) params['files.focus'] = focusDrop ? 'drop' : ''
  return params
}

/** Parameters → settings; what is missing or not understood is the default. */
export function parseSettings(params: Readonly<Record<string, string>>): FilesSettings {
  const as = params['files.as']
  const at = params['files.at'] ?? ''
  return {
    file: params['files.file'] ?? null,
    entry: params['files.entry'] ?? null,
    isRaw: params['files.raw'] === 'on',
    as: as === 'tree' || as === 'text' ? as : null,
    find: params['files.find'] ?? '',
    at: /^\d{1,15}$/.test(at) ? Number(at) : null,
    filter: params['files.filter'] ?? '',
    focusDrop: params['files.focus'] === 'drop',
  }
}

/** What a viewer leaves behind when another document is chosen. */
export const NO_DOCUMENT: Partial<FilesSettings> = { entry: null, isRaw: false, as: null, find: '', at: null }
