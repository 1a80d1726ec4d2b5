import type { ReactNode } from 'react'
import { useState } from 'react'
import type { FileState } from '../../capture/client/state.ts'
import { useCapture, useView } from '../../capture/client/view.ts'
import { StateDot } from '../../ui/Badge.tsx'
import { IconButton } from '../../ui/controls/Button.tsx'
import { describeProgress, shareOf } from '../../features/files/view/progress.ts'
import { FILE_WORDS } from '../../features/files/view/words.ts'
import { useNow } from '../../ui/hooks/now.ts'
import { useCaptureState } from '../../capture/client/useCaptureState.ts'
import { EarlierHours } from './EarlierHours.tsx'
import { RecordedHours } from './RecordedHours.tsx'
import styles from './sources.module.css'
import { cx } from '../../ui/theme/cx.ts'

/** Files that are being read or have a message. A file that was read without one appears as a source. */
export default function FileStrip(): ReactNode {
  return (
    <>
      <RecordedHours />
      <EarlierHours />
      <Strip />
    </>
  )
}

function Strip(): ReactNode {
  const capture = useCapture()
  const store = useView()
  const { files } = useCaptureState()
  const [seen, setSeen] = useState<ReadonlySet<number>>(new Set())
  const shown = files.filter((file) => file.endedMs === null || (needsWords(file) && !seen.has(file.id)))
  if (shown.length === 0) return null
  return (
    <section className={styles.files} aria-label="Files">
      {shown.map((file) => (
        <div key={file.id} className={cx('row', styles.file)}>
          <StateDot tone={FILE_WORDS[file.phase].tone}>
            <bdi>{file.name}</bdi>
          </StateDot>
          <span className="faint">{FILE_WORDS[file.phase].word}</span>
          {file.endedMs === null ? (
            <>
              <progress aria-label={file.name} max={1} value={shareOf(file.readBytes, file.totalBytes)} />
              <Going file={file} />
            </>
          ) : null}
          {file.message === '' ? null : <span className={styles.fileMessage}>{file.message}</span>}
          <a href={store.href('files', { params: { 'files.file': file.name } })}>
            {file.entries.length > 0 ? 'See its entries' : 'Look into it'}
          </a>
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

/** Bytes, rate and remaining time. */
function Going({ file }: { readonly file: FileState }): ReactNode {
  const { bytes, rate, left } = describeProgress(file, useNow())
  return <span className="faint">{[bytes, rate, left].filter((part) => part !== '').join(' · ')}</span>
}
