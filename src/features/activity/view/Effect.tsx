import type { ReactNode } from 'react'
import { changeWords, figureVerdict, type Figures } from '../../../actions/figures.ts'
import type { ActivityEntry } from '../../../actions/client/activity-entry.ts'
import { actionById } from '../../../actions/table.ts'
import { LATE_MS, missingBeside, recordedBeside } from './beside.ts'
import { measuredIndex, rebuildOf, rebuildWords, sideWords, verdict } from './effect.ts'
import { useNow } from '../../../ui/hooks/now.ts'
import styles from './activity.module.css'

/** Intended effect of an action: figures before and after, and the verdict. */
export function Effect({ entry }: { readonly entry: ActivityEntry }): ReactNode {
  const { state, figures, call } = entry
  if (state !== 'done') return null
  const action = actionById(call.action)
  const isRead = action?.measure !== undefined
  const recorded = recordedBeside(entry)
  return (
    <>
      {measuredIndex(entry) === null ? null : <Batches entry={entry} />}
      {isRead || recorded !== null ? (
        <div className={styles.figures} role="group" aria-label="Effect">
          {isRead ? <FigureRows figures={figures} missing="not read" /> : null}
          {recorded === null ? null : <Beside entry={entry} kind={recorded.kind} />}
        </div>
      ) : null}
    </>
  )
}

function Beside({ entry, kind }: { readonly entry: ActivityEntry; readonly kind: 'server' | 'io' }): ReactNode {
  return <FigureRows figures={entry.beside} missing={missingBeside(entry, kind, useNow())} />
}

interface FigureRowsProps {
  readonly figures: Figures | undefined
  readonly missing: string
}

/** A row for each figure: before, after, and verdict. */
function FigureRows({ figures, missing }: FigureRowsProps): ReactNode {
  const { before = null, after = null } = figures ?? {}
  if (before === null && after === null) return <p className={styles.faint}>Effect: {missing}</p>
  const labels = [...new Set([...(before ?? []), ...(after ?? [])].map(({ label }) => label))]
  return labels.map((label) => {
    const [a, b] = [before, after].map((side) => side?.find((figure) => figure.label === label))
    return (
      <p key={label} className={styles.figure}>
        <span>{label}</span> {changeWords({ before, after }, label)} <strong>{figureVerdict(a, b)}</strong>
      </p>
    )
  })
}

/** Text without a measurement, which needs a recording of the index and may therefore never come. */
const missingAfter = (endedMs: number | null, nowMs: number): string =>
  endedMs === null || nowMs - endedMs < LATE_MS
    ? 'is measured 20 s after its end'
    : 'not recorded: open Indexing with its database as a source'

function Batches({ entry }: { readonly entry: ActivityEntry }): ReactNode {
  const { before, after, rebuild, endedMs } = entry
  const nowMs = useNow()
  const isRebuild = rebuildOf(entry) !== null
  if (before == null && after == null && rebuild == null)
    return <p className={styles.faint}>Effect: not recorded. Choose its database as a source to record its batches.</p>
  return (
    <div className={styles.effect} role="group" aria-label="Effect">
      <span>Before</span>
      <span>{before == null ? 'not recorded' : sideWords(before)}</span>
      {isRebuild ? (
        <>
          <span>Rebuild</span>
          <strong>{rebuild == null ? 'not recorded' : rebuildWords(rebuild)}</strong>
        </>
      ) : null}
      <span>After</span>
      <span>{after == null ? missingAfter(endedMs, nowMs) : sideWords(after)}</span>
      {before == null || after == null || isRebuild ? null : (
        <>
          <span>Effect</span>
          <strong>{verdict(before, after)}</strong>
        </>
      )}
    </div>
  )
}
