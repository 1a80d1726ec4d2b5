import type { ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { formatCount } from '../../../../base/text/format.ts'
import type { RawHit, RawRef, RawSearchStatus } from '../../../../capture/raw/queries.ts'
import { useAttempt } from '../../../../capture/client/requests/useAttempt.ts'
import { AttemptFailure } from '../../../../capture/frame/notices/AttemptFailure.tsx'
import { useCapture } from '../../../../capture/client/view.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { FindBar } from './FindBar.tsx'
import { requestRaw, useRawSearch } from './useRaw.ts'

interface RawSearchProps {
  readonly document: RawRef
  /** Text of the search. */
  readonly find: string
  /** Current position: the first hit from here on is shown. */
  readonly from: number
  readonly onFind: (find: string) => void
  readonly onHit: (hit: RawHit) => void
}

/** Searches a whole document and steps through the hits while their number still grows. */
export function RawSearch({ document, find, from, onFind, onHit }: RawSearchProps): ReactNode {
  const capture = useCapture()
  const { file, entry } = document
  const { failure, attempt } = useAttempt()
  const status = useRawSearch(document, find)
  const [hit, setHit] = useState<(RawHit & { readonly find: string }) | null>(null)
  const current = hit?.find === find ? hit : null
  const latest = useRef({ from, onHit })
  useEffect(() => {
    latest.current = { from, onHit }
  })

  const goTo = async (number: number | null, fromByte: number, signal?: AbortSignal): Promise<boolean> => {
    const found = await requestRaw(capture, 'raw.hit', { file, entry, find, number, from: fromByte }, signal)
    if (found === null || signal?.aborted === true) return false
    setHit({ ...found, find })
    latest.current.onHit(found)
    return true
  }

  // Goes to the first hit automatically when one is known, wrapping around at the end.
  const count = status?.count ?? 0
  const isWhole = status?.isWhole === true
  const canStart = find !== '' && current === null && count > 0
  useEffect(() => {
    if (!canStart) return undefined
    const abort = new AbortController()
    const start = async (): Promise<void> => {
      if (await goTo(null, latest.current.from, abort.signal)) return
      if (isWhole && !abort.signal.aborted) await goTo(0, 0, abort.signal)
    }
    void attempt('Could not go to the hit', start)
    return () => abort.abort()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- requested again when more is known, not when the view moves
  }, [canStart, count, isWhole, find])

  const step = (by: 1 | -1): void => {
    if (current === null || count === 0) return
    const next = current.number + by
    // Wraps around at both ends.
    const number = next < 0 ? count - 1 : next < count ? next : isWhole ? 0 : null
    if (number !== null) void attempt('Could not go to the hit', () => goTo(number, 0))
  }

  return (
    <FindBar
      label="Search in the text"
      find={find}
      onFind={onFind}
      found={describeHits(status, current?.number ?? null)}
      canStep={current !== null}
      onStep={step}
    >
      {isWhole || status === null ? null : (
        <Button small tone="quiet" onClick={() => onFind('')}>
          End search
        </Button>
      )}
      <AttemptFailure of={failure} />
    </FindBar>
  )
}

function describeHits(status: RawSearchStatus | null, number: number | null): string {
  if (status === null) return 'looking'
  const { count, isWhole } = status
  if (count === 0) return isWhole ? 'not found' : 'none so far'
  const all = `${formatCount(count)}${isWhole ? '' : ' so far'}`
  return number === null ? all : `${formatCount(number + 1)} of ${all}`
}
