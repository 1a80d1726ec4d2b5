import type { ReactNode } from 'react'
import type { PanelProps } from '../../../capture/frame/panel.ts'
import { PanelFrame } from '../../../capture/frame/PanelFrame.tsx'
import { formatPlural } from '../../../base/text/format.ts'
import type { FileState } from '../../../capture/client/state.ts'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useView } from '../../../capture/client/view.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import { DropArea } from './DropArea.tsx'
import { joinRecordings, type ListedFile, partOf } from './join-recordings.ts'
import { EntryTable } from './EntryTable.tsx'
import { FileCard } from './FileCard.tsx'
import { NO_DOCUMENT, formatSettings, parseSettings } from './params.ts'
import type { FilesSettings } from './params.ts'
import { isReading } from './progress.ts'
import { useFeeds } from './useFeeds.ts'
import { RawViewer } from './raw/RawViewer.tsx'
import { WhatOpens } from './WhatOpens.tsx'
import styles from './files.module.css'

/** Opened files with their states, the entries of packages, and a viewer for any of them. */
export default function FilesPanel({ panel }: PanelProps): ReactNode {
  const store = useView()
  const { files: opened } = useCaptureState()
  const listed = joinRecordings(opened)
  const files = listed.map(({ file: each }) => each)
  const feeds = useFeeds(opened)
  const settings = parseSettings(store.view.params)
  const set = (parts: Partial<FilesSettings>, push = false): void =>
    store.change({ params: formatSettings(parts) }, { push })
  const { change } = store
  const focused = (): void => change({ params: formatSettings({ focusDrop: false }) })

  if (files.length === 0)
    return (
      <PanelFrame panel={panel} className={cx('column', styles.panel, styles.scrolls)}>
        {settings.file === null ? null : (
          <p className="faint" role="status">
            This link is about <bdi>{settings.file}</bdi>. A page cannot open a file by itself: choose it once more.
          </p>
        )}
        <DropArea isLarge hasFocus={settings.focusDrop} onFocused={focused} />
        <WhatOpens />
      </PanelFrame>
    )

  const isNamed = ({ parts }: ListedFile): boolean => parts.some(({ name }) => name === settings.file)
  const place = listed.find(isNamed) ?? (listed.length === 1 ? listed[0] : undefined)
  const file = place?.file
  // A chosen hour stays visible when a later reading replaces it in the list.
  const entry = place?.parts.flatMap(({ entries }) => entries).find(({ path }) => path === settings.entry) ?? null
  const source = place === undefined ? undefined : partOf(place, entry)
  const isPackage = file !== undefined && file.entries.length > 0
  const isLooking = file !== undefined && (entry !== null || (settings.isRaw && !isPackage))
  const choose = (next: FileState): void =>
    set({ ...NO_DOCUMENT, file: next.name, isRaw: next.entries.length === 0 }, true)

  return (
    <PanelFrame panel={panel} className={cx('column', styles.panel, styles.split, isLooking && styles.looking)}>
      <div className={cx('column', styles.side)}>
        <header className={cx('row', styles.intro)}>
          <p className={styles.sentence} role="status">
            {describeFiles(files)}
          </p>
          <DropArea isLarge={false} hasFocus={settings.focusDrop} onFocused={focused} />
        </header>
        <ul className={styles.cards} aria-label="Opened files">
          {files.map((each) => (
            <FileCard
              key={each.name}
              file={each}
              feeds={feeds}
              isChosen={each === file && (isPackage || isLooking)}
              onChoose={() => choose(each)}
              onByte={(at) => set({ ...NO_DOCUMENT, file: each.name, isRaw: true, as: 'text', at }, true)}
            />
          ))}
        </ul>
        {isPackage ? (
          <EntryTable
            file={file}
            filter={settings.filter}
            onFilter={(filter) => set({ filter })}
            chosen={settings.entry}
            onChoose={(path) => set({ ...NO_DOCUMENT, file: file.name, entry: path }, true)}
          />
        ) : null}
      </div>
      <div className={cx('column', styles.view)}>
        {isLooking ? (
          <>
            <div className={cx('line', styles.viewHead)}>
              <span className={styles.back}>
                <Button small tone="quiet" onClick={() => set({ ...NO_DOCUMENT, file: file.name }, true)}>
                  ‹ Files
                </Button>
              </span>
              <bdi className={styles.viewTitle}>{entry?.path ?? file.name}</bdi>
            </div>
            {entry === null || entry.message === '' ? null : <p className={styles.message}>{entry.message}</p>}
            <RawViewer
              key={JSON.stringify([source?.id ?? file.id, entry?.path ?? null])}
              document={{ file: source?.id ?? file.id, entry: entry?.path ?? null }}
              label={entry?.path ?? file.name}
              settings={settings}
              onSettings={(parts) => set(parts)}
            />
          </>
        ) : (
          <div className={cx('column', styles.nothing)}>
            <EmptyState title={isPackage ? 'Choose an entry' : 'Choose a file'}>
              {isPackage
                ? 'Any entry can be read as text and, where it is JSON, as a tree, whatever its size. Lists are tables as well, and logs have levels.'
                : 'What a file holds is shown here: as text and, where it is JSON, as a tree, whatever its size.'}
            </EmptyState>
            <details className={styles.more}>
              <summary>What else can be opened</summary>
              <WhatOpens />
            </details>
          </div>
        )}
      </div>
    </PanelFrame>
  )
}

function describeFiles(files: readonly FileState[]): string {
  const going = files.filter(isReading).length
  const odd = files.filter(({ phase }) => phase === 'broken' || phase === 'refused').length
  return [
    formatPlural(files.length, 'file'),
    ...(going > 0 ? [`${going} being read`] : []),
    ...(odd > 0 ? [`${odd} with something wrong`] : []),
  ].join(', ')
}
