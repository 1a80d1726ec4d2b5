import { lazy, Suspense, useEffect, type ReactNode } from 'react'
import type { DiffProps, EditorProps } from './editor-types.ts'
import styles from './editor.module.css'

// Not `lazyPanel`, which fetches ahead: a page that only watches needs no editor.
const CodeEditor = lazy(() => import('./CodeEditor.tsx'))
const loadDiff = () => import('./CodeDiff.tsx')
const CodeDiff = lazy(loadDiff)

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

/** Fetches the code of a diff as soon as a text differs: the changes can be looked at then, whether the server answers or not. */
export function useDiffAhead(isChanged: boolean): void {
  useEffect(() => {
    // A diff that is shown requests it again, and says what is wrong.
    if (isChanged) loadDiff().catch(() => undefined)
  }, [isChanged])
}

/** Two texts with what differs marked: side by side, or one below the other where the window is narrow. */
export const Diff = (props: DiffProps): ReactNode => (
  <Suspense fallback={waiting}>
    <CodeDiff {...props} />
  </Suspense>
)
