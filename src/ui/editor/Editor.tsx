import { lazy, Suspense, type ReactNode } from 'react'
import type { DiffProps, EditorProps } from './editor-types.ts'
import styles from './editor.module.css'

// Not `lazyPanel`, which fetches ahead: a page that only watches needs no editor.
const CodeEditor = lazy(() => import('./CodeEditor.tsx'))
const CodeDiff = lazy(() => import('./CodeDiff.tsx'))

const waiting = (
  <p className="note" role="status">
    Loading the editor
  </p>
)

/** A text with syntax, search, folds and findings. Its code is fetched when the first one is shown. */
export const Editor = (props: EditorProps): ReactNode => (
  <div className={props.fills === true ? styles.fills : undefined}>
    <Suspense fallback={waiting}>
      <CodeEditor {...props} />
    </Suspense>
  </div>
)

/** Two texts with what differs marked: side by side, or one below the other where the window is narrow. */
export const Diff = (props: DiffProps): ReactNode => (
  <Suspense fallback={waiting}>
    <CodeDiff {...props} />
  </Suspense>
)
