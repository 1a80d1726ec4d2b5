import { type ReactNode, useMemo, useSyncExternalStore } from 'react'
import { formatDateTime } from '../../base/text/format.ts'
import { msFromTicks, type Ticks, type TimeRange } from '../../base/ticks.ts'
import type { Manifest } from '../../capture/archive/manifest.ts'
import { hoursOf, type Recording, recordings } from '../../capture/archive/recordings.ts'
import { isFileSource, type SourceId, sourceLabel, type SourceState } from '../../capture/client/state.ts'
import { useServerTicks } from '../../capture/client/server-ticks.ts'
import { useCaptureState } from '../../capture/client/useCaptureState.ts'
import { useView } from '../../capture/client/view.ts'
import { Button } from '../../ui/controls/Button.tsx'
import styles from './sources.module.css'

/** Offers open recordings of a live source for a time of which the page has only what the server remembered. */
export function EarlierHours(): ReactNode {
  const known = useSyncExternalStore(recordings.subscribe, recordings.get)
  const { sources, range } = useView().view
  const serverTicks = useServerTicks()
  const openedTicks = serverTicks(performance.timeOrigin)
  if (range === null || range.startTicks >= openedTicks || sources.every(isFileSource)) return null
  return known.map((recording) => (
    <Earlier key={recording.name} recording={recording} startTicks={range.startTicks} openedTicks={openedTicks} />
  ))
}

interface EarlierProps {
  readonly recording: Recording
  /** Start of the range in view. */
  readonly startTicks: Ticks
  /** Time at which the page was opened. */
  readonly openedTicks: Ticks
}

function Earlier({ recording, startTicks, openedTicks }: EarlierProps): ReactNode {
  const { sources: all } = useCaptureState()
  const { view, change } = useView()
  const { manifest, name } = recording
  const hours = useMemo(() => hoursByNode(manifest), [manifest])
  const isBefore = (range: TimeRange): boolean => range.startTicks < openedTicks && range.endTicks > startTicks
  const isOpenBefore = ({ firstMs, endMs }: SourceState['spans'][number]): boolean =>
    firstMs < msFromTicks(openedTicks) && endMs > msFromTicks(startTicks)
  const further = view.sources
    .flatMap((source) => recordedOf(all, name, source))
    .filter(({ id, spans }) => {
      const node = id.slice(`file:${name}/`.length).split('/')[0] ?? ''
      return !view.sources.includes(id) && (hours.get(node)?.some(isBefore) === true || spans.some(isOpenBefore))
    })
  if (further.length === 0) return null
  return (
    <p className={styles.recorded} role="status">
      This page was opened at {formatDateTime(openedTicks, view.clock, 0)}: of earlier times it has only what the server
      still remembered. <bdi>{further.map(({ ref }) => sourceLabel(ref)).join(', ')}</bdi> has more.{' '}
      <Button
        small
        onClick={() => change({ sources: [...view.sources, ...further.map(({ id }) => id)] }, { push: true })}
      >
        Show it, too
      </Button>
    </p>
  )
}

/** Recorded hours of each server. */
const hoursByNode = ({ nodes, files }: Manifest): ReadonlyMap<string, readonly TimeRange[]> =>
  new Map(nodes.map(({ name }) => [name, hoursOf({ files: files.filter(({ node }) => node === name) })]))

/** Sources of a recording with the same database as a live source, or the server itself, on any of its servers. */
function recordedOf(all: readonly SourceState[], recording: string, live: SourceId): readonly SourceState[] {
  if (isFileSource(live)) return []
  const place = `file:${recording}/`
  const own = live === 'server' ? live : live.slice('db:'.length)
  return all.filter(({ id }) => id.startsWith(place) && id.slice(id.indexOf('/', place.length) + 1) === own)
}
