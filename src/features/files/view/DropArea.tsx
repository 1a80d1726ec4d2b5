import type { ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { newestRange, openRecording, recordingIn } from '../../../capture/archive/recordings.ts'
import { paramsToFit, useCapture, useView } from '../../../capture/client/view.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import styles from './files.module.css'

interface DropAreaProps {
  readonly isLarge: boolean
  readonly hasFocus: boolean
  readonly onFocused: () => void
}

/** Where files are dropped (as anywhere on the page) or chosen. `hasFocus`: one has come here to do so. */
export function DropArea({ isLarge, hasFocus, onFocused }: DropAreaProps): ReactNode {
  const capture = useCapture()
  const { view, open } = useView()
  const areaRef = useRef<HTMLDivElement>(null)
  const inputRef = useRef<HTMLInputElement>(null)
  const folderRef = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState('')
  const openFolder = async (files: readonly File[]): Promise<void> => {
    const name = files[0]?.webkitRelativePath.split('/')[0] ?? ''
    try {
      const inside = files.map((blob) => ({ path: blob.webkitRelativePath.slice(name.length + 1), blob }))
      const recording = await recordingIn(name, inside)
      setProblem(recording === null ? `${name} holds no recording: it has no manifest.json.` : '')
      if (recording === null) return
      await openRecording(capture, recording, newestRange(recording.manifest), paramsToFit(view))
      open('archive')
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }

  useEffect(() => {
    if (!hasFocus) return
    areaRef.current?.querySelector('button')?.focus()
    onFocused()
  }, [hasFocus, onFocused])

  return (
    <div ref={areaRef} className={cx(styles.drop, isLarge && styles.dropLarge)} role="group" aria-label="Drop area">
      {isLarge ? <Icon name="file" sizePx={28} /> : null}
      <p>Drop files anywhere on this page</p>
      <Button tone={isLarge ? 'primary' : 'plain'} onClick={() => inputRef.current?.click()}>
        Choose files…
      </Button>
      <Button tone="quiet" onClick={() => folderRef.current?.click()}>
        Choose a recording…
      </Button>
      <input
        ref={(input) => {
          folderRef.current = input
          if (input !== null) input.webkitdirectory = true
        }}
        type="file"
        hidden
        aria-label="Folder of a recording"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          event.target.value = ''
          if (files.length > 0) void openFolder(files)
        }}
      />
      {problem === '' ? null : (
        <span className="faint" role="alert">
          {problem}
        </span>
      )}
      <input
        ref={inputRef}
        type="file"
        multiple
        hidden
        aria-label="Files to open"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          // Emptied, so that the same file can be chosen again.
          event.target.value = ''
          if (files.length > 0) capture.openFiles(files, paramsToFit(view))
        }}
      />
    </div>
  )
}
