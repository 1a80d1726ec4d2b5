import type { ReactNode } from 'react'
import { formatBytes, formatCount, formatDuration } from '../../../base/text/format.ts'
import { spanFromMs } from '../../../base/ticks.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { useNow } from '../../../ui/hooks/now.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { draftName, oldestTooMany, type Draft, type DraftPlace } from '../../client/drafts/draft.ts'
import { draftStore, useDrafts } from '../../client/drafts/useDrafts.ts'

const ageOf = ({ changedMs }: Draft, nowMs: number): string =>
  `${formatDuration(spanFromMs(Math.max(1000, nowMs - changedMs)))} ago`

/** Notices beside an editor: the browser does not store drafts, or other tabs have edited the same object. */
export function DraftNotices({ place }: { readonly place: DraftPlace }): ReactNode {
  const { all } = useDrafts()
  const nowMs = useNow()
  const [other, ...more] = all === null ? [] : draftStore.others(place)
  return (
    <>
      <DraftStorage />
      {other === undefined ? null : (
        <Notice
          tone="info"
          title={`Another draft of this was typed in another tab, ${ageOf(other, nowMs)}.`}
          actions={
            <>
              <Button onClick={() => draftStore.choose(other)}>Open the other draft</Button>
              <Button onClick={() => draftStore.discard(other)}>Discard the other draft</Button>
            </>
          }
        >
          <p>{`Both are kept${more.length === 0 ? '' : `, and ${formatCount(more.length)} more`}: typing here changes this one only.`}</p>
        </Notice>
      )}
    </>
  )
}

/** Notice that the browser does not store drafts, or that there are too many, with the oldest. */
export function DraftStorage(): ReactNode {
  const { all, problem } = useDrafts()
  const nowMs = useNow()
  const tooMany = oldestTooMany(all ?? [])
  return (
    <>
      {problem === null ? null : (
        <Notice tone="warn" title="What was typed last is kept by this page only: do not close it before it is saved.">
          <p>{problem}</p>
        </Notice>
      )}
      {tooMany === null ? null : (
        <Notice
          tone="info"
          title={`This browser keeps ${formatCount(all?.length ?? 0)} drafts, about ${formatBytes(tooMany.length)}.`}
          actions={<Button onClick={() => draftStore.discard(tooMany.oldest)}>Discard the oldest draft</Button>}
        >
          <p>
            The oldest is of <bdi>{draftName(tooMany.oldest)}</bdi> in “{tooMany.oldest.database}”, typed{' '}
            {ageOf(tooMany.oldest, nowMs)}. None is removed without you.
          </p>
        </Notice>
      )}
    </>
  )
}
