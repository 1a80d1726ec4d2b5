import type { CompletionSource } from '@codemirror/autocomplete'

/** Names of `languages.ts`; their code is fetched with the editor that needs it. */
export type EditorLanguage = 'json' | 'javascript' | 'csharp' | 'rql' | 'text'

/** A finding at a place of the text, offsets in UTF-16 units. */
export interface EditorDiagnostic {
  readonly from: number
  readonly to: number
  readonly severity: 'error' | 'warning' | 'info'
  readonly message: string
}

/** Operations on an editor for its owner. */
export interface EditorHandle {
  readonly focus: () => void
  /** Selects a place, scrolls to it and takes the focus. */
  readonly select: (from: number, to: number) => void
  /** Scrolls a place to the top; the focus stays. */
  readonly scrollTo: (at: number) => void
}

export interface EditorProps {
  /** Its name for everyone. */
  readonly label: string
  /** Shown from the first byte to the last; line ends and odd characters stay as they are. */
  readonly text: string
  readonly language: EditorLanguage
  readonly isReadOnly?: boolean
  readonly diagnostics?: readonly EditorDiagnostic[]
  /** Completions at the cursor, in place of those of the language. */
  readonly complete?: CompletionSource
  /** The whole text after each change by the user. */
  readonly onChange?: (text: string) => void
  /** Ctrl or ⌘ with Enter. */
  readonly onRun?: () => void
  /** Ctrl or ⌘ with S. */
  readonly onSave?: () => void
  /** Shown while there is no text. */
  readonly placeholder?: string
  /** Height in lines that an editor with less text has; the first value stays. */
  readonly minLines?: number
  /** As high as its place, and scrolls in it; else as high as its text. */
  readonly fills?: boolean
  readonly ref?: React.Ref<EditorHandle>
}

export interface DiffProps {
  readonly label: string
  /** Names of the two sides. */
  readonly beforeName: string
  readonly afterName: string
  readonly before: string
  readonly after: string
  readonly language: EditorLanguage
  /** The right side can be changed, and takes changes of the left one; without it both are read-only. */
  readonly onChange?: (text: string) => void
}
