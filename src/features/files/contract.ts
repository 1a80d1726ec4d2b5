export interface FilesLinkParams {
  /** Name of a file, since ids differ between pages. */
  readonly file: string
  /** Path of an entry in it. */
  readonly entry: string
  /** Shows the file itself. */
  readonly raw: 'on'
  readonly as: 'tree' | 'text' | 'table' | 'log'
  readonly find: string
  /** Position of a byte. */
  readonly at: string
  /** Text that the paths of the listed entries contain. */
  readonly filter: string
  readonly focus: 'drop'
}

declare module '../../capture/client/panels.ts' {
  interface Panels {
    files: FilesLinkParams
  }
}
