export interface FilesLinkParams {
  /** Name of a file: ids are new in every page. */
  readonly file: string
  /** Path of an entry in it. */
  readonly entry: string
  /** The file itself is shown. */
  readonly raw: 'on'
  readonly as: 'tree' | 'text' | 'table' | 'log'
  readonly find: string
  /** A byte. */
  readonly at: string
  /** Part of the paths of the entries that are listed. */
  readonly filter: string
  readonly focus: 'drop'
}

declare module '../../capture/client/panels.ts' {
  interface Panels {
    files: FilesLinkParams
  }
}
