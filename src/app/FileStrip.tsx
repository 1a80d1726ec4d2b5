import type { ReactNode } from 'react'
import { useState } from 'react'
import { formatBytes } from '../base/format.ts'
import type { FileState } from '../capture/state.ts'
import { useCapture } from '../capture/view.ts'
import { StateDot } from '../ui/Badge.tsx'
import type { Tone } from '../ui/Badge.tsx'
import { IconButton } from '../ui/Button.tsx'
import { useCaptureState } from './useCaptureState.ts'
import styles from './shell.module.css'

const WORDS: Record<FileState['phase'], { readonly tone: Tone; readonly word: string }> = {
  listing: { tone: 'busy', word: 'looking into it' },
  reading: { tone: 'busy', word: 'reading' },
  read: { tone: 'ok', word: 'read' },
  broken: { tone: 'warn', word: 'read in part' },
  refused: { tone: 'error', word: 'not read' },
  cancelled: { tone: 'idle', word: 'stopped' },
}

/** Files that are being read, and those of which something is to be said. What was read well is seen as a source. */
export function FileStrip(): ReactNode {
  const capture = useCapture()
  const { files } = useCaptureState()
  const [seen, setSeen] = useState<ReadonlySet<number>>(new Set())
  const shown = files.filter((file) => file.endedMs === null || (needsWords(file) && !seen.has(file.id)))
  if (shown.length === 0) return null
  return (
    <section className={styles.files} aria-label="Files">
      {shown.map((file) => (
        <div key={file.id} className={styles.file}>
          <StateDot tone={WORDS[file.phase].tone}>
            <bdi>{file.name}</bdi>
          </StateDot>
          <span className={styles.faint}>{WORDS[file.phase].word}</span>
          {file.endedMs === null ? (
            <>
              <progress aria-label={file.name} max={1} value={shareOf(file)} />
              <span className={styles.faint}>
                {formatBytes(file.readBytes)} of {formatBytes(file.totalBytes)}
              </span>
            </>
          ) : null}
          {file.message === '' ? null : <span className={styles.fileMessage}>{file.message}</span>}
          <IconButton
            small
            icon="close"
            label={`${file.endedMs === null ? 'Stop reading' : 'Dismiss'} ${file.name}`}
            onClick={() => (file.endedMs === null ? capture.cancelFile(file.id) : setSeen(new Set([...seen, file.id])))}
          />
        </div>
      ))}
    </section>
  )
}

const needsWords = (file: FileState): boolean => file.phase !== 'read' || file.message !== ''

/** Undefined, and so a moving bar, while nothing is known of its size. */
const shareOf = (file: FileState): number | undefined =>
  file.totalBytes > 0 ? Math.min(1, file.readBytes / file.totalBytes) : undefined
