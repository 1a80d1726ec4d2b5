import type { ReactNode } from 'react'
import { draftStore } from '../../../capture/client/drafts/useDrafts.ts'
import type { DraftPlace } from '../../../capture/client/drafts/draft.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import type { DefinitionText } from '../contract.ts'
import { wholeText } from '../definition-text.ts'
import { hasNewDraft, typedAt } from './useDefinition.ts'
import styles from './indexes.module.css'

interface DeletedIndexProps {
  readonly place: DraftPlace
  readonly onBegin: (name: string, definition: DefinitionText) => void
}

/** Notice that an index does not exist, with the unsaved draft of it. Requires that drafts are read. */
export function DeletedIndex({ place, onBegin }: DeletedIndexProps): ReactNode {
  const typed = typedAt(place)
  if (typed === null) return <p role="status">There is no index “{place.id}”.</p>
  const begin = (): void => {
    // If another new index was begun, the user decides first which one to keep.
    const isFree = !hasNewDraft({ ...place, id: '' })
    onBegin(place.id, typed)
    if (!isFree) return
    void draftStore.flush().then(() => {
      if (!draftStore.isAtRisk) draftStore.remove(place)
    })
  }
  return (
    <>
      <Notice
        tone="warn"
        title={`The index “${place.id}” was deleted.`}
        actions={<Button onClick={begin}>Open as a new index</Button>}
      >
        <p>What you typed is kept. Nothing was saved.</p>
      </Notice>
      <UnsavedDefinition place={place} />
    </>
  )
}

/** Text of an unsaved draft whose index cannot be read; nothing without a draft. Requires that drafts have been read. */
export function UnsavedDefinition({ place }: { readonly place: DraftPlace }): ReactNode {
  const typed = typedAt(place)
  return typed === null ? null : (
    <pre className={cx('raised', styles.text)} tabIndex={0} aria-label="Definition that was not saved">
      {wholeText(typed)}
    </pre>
  )
}
