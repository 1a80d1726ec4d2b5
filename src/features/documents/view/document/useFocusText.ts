import { useEffect, useRef, type RefObject } from 'react'
import type { EditorHandle } from '../../../../ui/editor/editor-types.ts'

/** Puts the cursor into the text: at once, or when its editor is there. */
export function useFocusText(editorRef: RefObject<EditorHandle | null>): () => void {
  const isWanted = useRef(false)
  useEffect(() => {
    if (!isWanted.current || editorRef.current === null) return
    isWanted.current = false
    editorRef.current.focus()
  })
  return () => {
    isWanted.current = editorRef.current === null
    editorRef.current?.focus()
  }
}
