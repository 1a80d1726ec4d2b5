import type { ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { paramsToFit, useCapture, useView } from '../../capture/client/view.ts'
import { Button } from '../../ui/controls/Button.tsx'
import styles from './sources.module.css'

const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true

/** The button, the input behind it (named "Open files", always in the document), and files dropped anywhere on the page. */
export function OpenFiles(): ReactNode {
  const capture = useCapture()
  const { view, open: openPanel } = useView()
  const inputRef = useRef<HTMLInputElement>(null)
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
          .then((hasRecording) => hasRecording && openPanel('archive'))
          .catch((error: unknown) => setUnread(error instanceof Error ? error.message : String(error)))
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
      <Button icon="file" tone="quiet" onClick={() => inputRef.current?.click()}>
        <span className={styles.openWords}>Open files…</span>
      </Button>
      <input
        ref={inputRef}
        type="file"
        multiple
        aria-label="Open files"
        tabIndex={-1}
        className="spoken"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          // Emptied, so that the same file can be chosen again.
          event.target.value = ''
          open(files)
        }}
      />
      {unread === null ? null : (
        <span role="alert">
          Not opened: a folder could not be read. {unread}{' '}
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
