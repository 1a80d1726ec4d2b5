import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { errorText } from '../../base/text/error-text.ts'
import { formatCount, formatPlural } from '../../base/text/format.ts'
import type { TimeRange } from '../../base/ticks.ts'
import {
  MOST_ROWS,
  openRecording,
  openShareOf,
  type OpenShare,
  type Recording,
  recordings,
} from '../../capture/archive/recordings.ts'
import { useCapture, useView } from '../../capture/client/view.ts'
import { PanelLink } from '../../capture/frame/PanelLink.tsx'
import { Notice } from '../../ui/Notice.tsx'
import styles from './sources.module.css'

/** Time, ms, for which a range must not move before its hours are opened. */
const SETTLED_MS = 120

/** Opens the hours of recordings that come into view, and shows which are not open. */
export function RecordedHours(): ReactNode {
  const known = useSyncExternalStore(recordings.subscribe, recordings.get)
  const unopened = useSyncExternalStore(recordings.subscribe, recordings.unopened)
  const { sources, range } = useView().view
  const inView = known.filter(({ name }) => sources.some((source) => source.startsWith(`file:${name}/`)))
  return (
    <>
      {unopened === '' ? null : (
        <Notice tone="error" title="The recording could not be opened">
          <p>{unopened}</p>
        </Notice>
      )}
      {range === null
        ? null
        : inView.map((recording) => <Follower key={recording.name} recording={recording} range={range} />)}
    </>
  )
}

function Follower({ recording, range }: { readonly recording: Recording; readonly range: TimeRange }): ReactNode {
  const capture = useCapture()
  const [share, setShare] = useState<OpenShare | null>(null)
  const [problem, setProblem] = useState('')
  const lack = useSyncExternalStore(recordings.subscribe, () => recordings.lackOf(recording.name))
  const { startTicks, endTicks } = range
  useEffect(() => {
    // A report on a range that has left the view would appear for the current one.
    let isInSight = true
    const report = (now: OpenShare | null, why: string): void => {
      if (!isInSight) return
      if (now !== null) setShare(now)
      setProblem(why)
    }
    const timer = setTimeout(() => {
      const inSight = { startTicks, endTicks }
      const now = openShareOf(capture, recording, inSight)
      if (now.closedHours === 0 || !now.mayFollow) {
        report(now, '')
        return
      }
      setShare(now)
      openRecording(capture, recording, inSight, null).then(
        () => report(openShareOf(capture, recording, inSight), ''),
        (error: unknown) => report(null, `hours in sight could not be opened: ${sentence(errorText(error))}`),
      )
    }, SETTLED_MS)
    return () => {
      isInSight = false
      clearTimeout(timer)
    }
  }, [capture, recording, startTicks, endTicks])
  const unopened = share === null || share.closedHours === 0 || share.mayFollow ? '' : wordsOf(share)
  const words = [problem === '' ? unopened : problem, lack ?? ''].filter((text) => text !== '')
  if (words.length === 0) return null
  return (
    <p className={styles.recorded} role="status">
      <bdi>{recording.name}</bdi>: {words.join(' ')} <PanelLink panel="archive">Calendar</PanelLink>
    </p>
  )
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

const wordsOf = ({ hours, closedHours, closedRows }: OpenShare): string => {
  const which = `${formatCount(closedHours)} of ${formatPlural(hours, 'hour')} in sight are not open (${formatCount(closedRows)} rows).`
  return closedRows > MOST_ROWS
    ? `${which} Up to ${formatCount(MOST_ROWS)} rows open by themselves: zoom in.`
    : `${which} This page holds as many rows as it opens by itself: choose the hours in the calendar, or use another page.`
}
