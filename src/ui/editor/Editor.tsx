import { lazy, Suspense, useEffect, type CSSProperties, type ReactNode } from 'react'
import { cx } from '../theme/cx.ts'
import type { DiffProps, EditorProps } from './editor-types.ts'
import styles from './editor.module.css'

// Not `lazyPanel`, which preloads: a page that only watches needs no editor.
const CodeEditor = lazy(() => import('./CodeEditor.tsx'))
const loadDiff = () => import('./CodeDiff.tsx')
const CodeDiff = lazy(loadDiff)

const waiting = (
  <p className="note" role="status">
    Loading the editor
  </p>
)

/** Text editor with syntax, search, folds and findings. Its code is loaded when the first one is shown. */
export const Editor = (props: EditorProps): ReactNode => (
  <div
    className={cx(styles.room, props.fills === true && styles.fills)}
    style={props.minLines === undefined ? undefined : ({ '--lines': props.minLines } as CSSProperties)}
  >
    <Suspense fallback={waiting}>
      <CodeEditor {...props} />
    </Suspense>
  </div>
)

/** Loads the code of a diff once a text differs, so that changes can be viewed without the server. */
export function useDiffAhead(isChanged: boolean): void {
  useEffect(() => {
    // A diff that is shown loads it again and reports the error.
    if (isChanged) loadDiff().catch(() => undefined)
  }, [isChanged])
}

/** Diff of two texts: side by side, or one below the other in a narrow window. */
export const Diff = (props: DiffProps): ReactNode => (
  <Suspense fallback={waiting}>
    <CodeDiff {...props} />
  </Suspense>
)
