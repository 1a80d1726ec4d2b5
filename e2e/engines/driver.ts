/** Values that a test and a page exchange. */
export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [key: string]: Plain }

/** An input source and its actions, in the form that WebDriver and WebDriver BiDi share. */
export interface InputSource {
  readonly type: 'key' | 'pointer' | 'wheel'
  readonly id: string
  readonly actions: readonly Readonly<Record<string, Plain>>[]
}

/** A browser that a test drives without regard to its engine. Selectors are those of CSS. */
export interface Driver {
  /** Name and version of the engine, as it reports them. */
  readonly engine: string
  /** Folder in which its downloads arrive. */
  readonly downloads: string
  /** Resolves when the page has loaded. */
  readonly goto: (url: string) => Promise<void>
  /** Runs a function in the page: it sees its arguments and the page's globals only. */
  readonly evaluate: <A extends readonly Plain[], T>(run: (...args: A) => T | Promise<T>, ...args: A) => Promise<T>
  readonly perform: (sources: readonly InputSource[]) => Promise<void>
  /** Chooses a file in the file input that the selector finds first. */
  readonly chooseFile: (selector: string, path: string) => Promise<void>
  /** Opens a tab in front, or a window, and goes on there; returns what `toTab` takes. */
  readonly openTab: () => Promise<string>
  readonly tab: () => string
  readonly toTab: (tab: string) => Promise<void>
  /** Ends the browser and removes what it left. */
  readonly close: () => Promise<void>
}
