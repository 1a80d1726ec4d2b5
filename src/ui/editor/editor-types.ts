import type { CompletionSource } from '@codemirror/autocomplete'

/** Keys of `languages.ts`; the code is loaded with the first editor that needs it. */
export type EditorLanguage = 'json' | 'javascript' | 'csharp' | 'rql' | 'text'

/** A finding at a place in the text; offsets in UTF-16 units. */
export interface EditorDiagnostic {
  readonly from: number
  readonly to: number
  readonly severity: 'error' | 'warning' | 'info'
  readonly message: string
}

/** Methods of an editor for its owner. */
export interface EditorHandle {
  readonly focus: () => void
  /** Selects a range, scrolls to it and takes the focus. */
  readonly select: (from: number, to: number) => void
  /** Scrolls a position to the top; does not move the focus. */
  readonly scrollTo: (at: number) => void
}

export interface EditorProps {
  /** Accessible name. */
  readonly label: string
  /** Shown completely; line ends and odd characters are kept. */
  readonly text: string
  readonly language: EditorLanguage
  readonly isReadOnly?: boolean
  readonly diagnostics?: readonly EditorDiagnostic[]
  /** Completions at the cursor, in place of those of the language. */
  readonly complete?: CompletionSource
  /** Called with the whole text after each change by the user. */
  readonly onChange?: (text: string) => void
  /** Called at Ctrl or ⌘ with Enter. */
  readonly onRun?: () => void
  /** Called at Ctrl or ⌘ with S. */
  readonly onSave?: () => void
  /** Shown while the text is empty. */
  readonly placeholder?: string
  /** Minimum height in lines; only the first value is used. */
  readonly minLines?: number
  /** Fills its container and scrolls; otherwise it is as high as its text. */
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
  /** Makes the right side editable, also by taking over changes from the left; without it both sides are read-only. */
  readonly onChange?: (text: string) => void
}
