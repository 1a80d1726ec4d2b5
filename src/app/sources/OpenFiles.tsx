import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { errorText } from '../../base/text/error-text.ts'
import { paramsToFit, useCapture, useView } from '../../capture/client/view.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { FileButton } from '../../ui/controls/FileButton.tsx'
import styles from './sources.module.css'

const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true

/** Button with its input (named "Open files", always in the document), and the drop target, which is the whole page. */
export function OpenFiles(): ReactNode {
  const capture = useCapture()
  const { view, open: openPanel } = useView()
  const [dragging, setDragging] = useState(false)
  const [unread, setUnread] = useState<string | null>(null)
  const open = (files: readonly File[]): void => {
    if (files.length === 0) return
    capture.openFiles(files, paramsToFit(view))
  }

  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setDragging(true)
    }
    const left = (event: DragEvent): void => {
      if (event.relatedTarget === null) setDragging(false)
    }
    const dropped = (event: DragEvent): void => {
      setDragging(false)
      if (!carriesFiles(event)) return
      event.preventDefault()
      const entries = [...(event.dataTransfer?.items ?? [])].map((item) => item.webkitGetAsEntry())
      const files = [...(event.dataTransfer?.files ?? [])]
      const folders = entries.filter((entry) => entry?.isDirectory === true) as FileSystemDirectoryEntry[]
      if (folders.length === 0) open(files)
      else {
        const plain = files.filter(({ name }) => !folders.some((folder) => folder.name === name))
        setUnread(null)
        import('./folders.ts')
          .then((part) => part.openFolders(folders, plain, capture, paramsToFit(view)))
          .then(({ hasRecording, problem }) => {
            if (hasRecording) openPanel('archive')
            setUnread(problem)
          })
          .catch((error: unknown) => setUnread(errorText(error)))
      }
    }
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', left)
    window.addEventListener('drop', dropped)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', left)
      window.removeEventListener('drop', dropped)
    }
  })

  return (
    <>
      <FileButton input="Open files" multiple icon="file" tone="quiet" onFiles={open}>
        <span className={styles.openWords}>Open files…</span>
      </FileButton>
      {unread === null ? null : (
        <span role="alert">
          Not everything was opened: {unread}{' '}
          <Button small onClick={() => setUnread(null)}>
            Close
          </Button>
        </span>
      )}
      {dragging ? (
        <div className={styles.drop} role="status">
          Drop files to open them
        </div>
      ) : null}
    </>
  )
}
