import type { ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { errorText } from '../../../base/text/error-text.ts'
import { newestRange, openRecording, recordingIn } from '../../../capture/archive/recordings.ts'
import { paramsToFit, useCapture, useView } from '../../../capture/client/view.ts'
import { FileButton } from '../../../ui/controls/FileButton.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import styles from './files.module.css'

interface DropAreaProps {
  readonly isLarge: boolean
  readonly hasFocus: boolean
  readonly onFocused: () => void
}

/** Area to drop files (as anywhere on the page) or to choose them. `hasFocus`: focuses it initially. */
export function DropArea({ isLarge, hasFocus, onFocused }: DropAreaProps): ReactNode {
  const capture = useCapture()
  const { view, open } = useView()
  const areaRef = useRef<HTMLDivElement>(null)
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
      setProblem(errorText(error))
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
      <FileButton
        input="Files to open"
        multiple
        tone={isLarge ? 'primary' : 'plain'}
        onFiles={(files) => capture.openFiles(files, paramsToFit(view))}
      >
        Choose files…
      </FileButton>
      <FileButton input="Folder of a recording" folder tone="quiet" onFiles={(files) => void openFolder(files)}>
        Choose a recording…
      </FileButton>
      {problem === '' ? null : (
        <span className="faint" role="alert">
          {problem}
        </span>
      )}
    </div>
  )
}
