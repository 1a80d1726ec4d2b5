import type { ReactNode } from 'react'
import { formatCount, formatPlural } from '../../../base/text/format.ts'
import type { FileState, SourceId } from '../../../capture/client/state.ts'
import { MAX_SOURCES } from '../../../capture/client/state.ts'
import { useCapture, useView } from '../../../capture/client/view.ts'
import { usePanelOfFeed } from '../../../capture/frame/panel.ts'
import { StateDot } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import { useNow } from '../../../ui/hooks/now.ts'
import { describeProgress, describeRead, isReading, shareOf } from './progress.ts'
import { FILE_WORDS } from './words.ts'
import styles from './files.module.css'

interface FileCardProps {
  readonly file: FileState
  readonly feeds: ReadonlyMap<SourceId, readonly string[]>
  readonly isChosen: boolean
  readonly onChoose: () => void
  /** Shows a byte of the file itself. */
  readonly onByte: (byte: number) => void
}

/** Card of an opened file: its state, the panels that show it, and the actions on it. */
export function FileCard({ file, feeds, isChosen, onChoose, onByte }: FileCardProps): ReactNode {
  const capture = useCapture()
  const store = useView()
  const { view } = store
  const { tone, word } = FILE_WORDS[file.phase]
  const isPackage = file.entries.length > 0
  const panelOf = usePanelOfFeed()
  const shown = [...new Set(file.sources.flatMap((id) => feeds.get(id) ?? []).flatMap((feed) => panelOf(feed) ?? []))]
  const inView = file.sources.filter((id) => view.sources.includes(id)).length
  const byte = isPackage ? null : file.faultAt
  const others = view.sources.filter((id) => !file.sources.includes(id))
  const withThis = [...others, ...file.sources].slice(0, MAX_SOURCES)

  return (
    <li className={cx('raised', styles.card, isChosen && styles.chosen)} aria-current={isChosen ? 'true' : undefined}>
      <div className={styles.cardHead}>
        <StateDot tone={tone}>
          <bdi className={styles.name} title={file.name}>
            {file.name}
          </bdi>
        </StateDot>
        <span className="faint">{word}</span>
      </div>
      {isReading(file) ? <Going file={file} /> : <p className="faint">{describeRead(file)}</p>}
      {file.message === '' ? null : <p className={styles.message}>{file.message}</p>}
      <div className={cx('row', styles.actions)}>
        <Button small tone={isChosen ? 'quiet' : 'plain'} aria-pressed={isChosen} onClick={onChoose}>
          {isPackage ? formatPlural(file.entries.length, 'entry', 'entries') : 'Look into it'}
        </Button>
        {shown.map(({ id, title }) => (
          <a key={id} className={styles.link} href={store.href(id, { sources: withThis })}>
            Show in {title}
          </a>
        ))}
        {byte === null ? null : (
          <Button small tone="quiet" onClick={() => onByte(byte)}>
            Show byte {formatCount(byte)}
          </Button>
        )}
        {file.sources.length === 0 ? null : (
          <Button
            small
            tone="quiet"
            onClick={() => store.change({ sources: inView > 0 ? others : withThis }, { push: true })}
          >
            {inView > 0 ? 'Remove from the view' : 'Add to the view'}
          </Button>
        )}
        {isReading(file) ? (
          <Button small tone="quiet" onClick={() => capture.cancelFile(file.id)}>
            Stop
          </Button>
        ) : null}
      </div>
    </li>
  )
}

function Going({ file }: { readonly file: FileState }): ReactNode {
  const { bytes, rate, left } = describeProgress(file, useNow())
  return (
    <div className={cx('row', styles.going)}>
      <progress aria-label={`Reading ${file.name}`} max={1} value={shareOf(file.readBytes, file.totalBytes)} />
      <span className="faint">{[bytes, rate, left].filter((part) => part !== '').join(' · ')}</span>
    </div>
  )
}
