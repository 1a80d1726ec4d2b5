import { useEffect, useReducer, useRef, type RefObject } from 'react'
import type { EditorHandle } from '../../../../ui/editor/editor-types.ts'

/** Returns a function that focuses the text after the next rendering: a closing dialog first returns the focus. */
export function useFocusText(editorRef: RefObject<EditorHandle | null>): () => void {
  const isWanted = useRef(false)
  const [, renderAgain] = useReducer((times: number) => times + 1, 0)
  useEffect(() => {
    if (!isWanted.current || editorRef.current === null) return
    isWanted.current = false
    editorRef.current.focus()
  })
  return () => {
    isWanted.current = true
    renderAgain()
  }
}
