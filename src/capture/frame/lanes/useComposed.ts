import { useMemo, useState } from 'react'
import { TICKS_PER_MS, type Ticks } from '../../../base/ticks.ts'
import { paramsOfPanel, toLinkParams, type ComposedPanel } from '../../client/panels.ts'
import { useSteady } from '../../../ui/hooks/useSteady.ts'
import { useView } from '../../client/view.ts'
import { chosenKey, formatLanes, lanesOf, parseLanes, type ChosenLane, type LaneChoice } from './chosen.ts'
import { laneTitle, NOT_READ, serverOf, type LaneReading } from './composed.ts'
import type { LaneData, LaneDefinition, LaneId, LaneItem, LaneSubject } from './lane.ts'
import { relatedMarks, type RelatedMark } from './related.ts'
import { findSelected, formatSelection, parseSelection, type LaneSelection } from './selection.ts'
import type { OtherServers } from './servers/other-servers.ts'
import { shortNames } from './servers/short-names.ts'
import { useLaneDefinitions } from './useLaneDefinitions.ts'

/** Lanes of a panel's timeline, their data, and the selection. */
export interface Composed {
  readonly panel: ComposedPanel
  readonly lanes: readonly ChosenLane[]
  readonly preset: readonly ChosenLane[]
  readonly definitions: ReadonlyMap<string, LaneDefinition>
  /** Whether `definitions` are empty because their code is still loading. */
  readonly isLoading: boolean
  /** Servers other than the page's own; null: not loaded, or no stand-alone server. */
  readonly servers: OtherServers | null
  /** Name of a lane, with its server if there are lanes of several. */
  readonly titleOf: (lane: LaneChoice) => string
  /** Short name of a lane, which begins with a shortened server name. */
  readonly shortTitleOf: (lane: LaneChoice) => string
  readonly readings: ReadonlyMap<string, LaneReading>
  /** Sets the lanes in the URL. A text is used as it is. */
  readonly setLanes: (lanes: readonly ChosenLane[]) => void
  readonly setReading: (lane: string, reading: LaneReading) => void
  readonly selection: LaneSelection | null
  /** Selected mark and its lane; null: nothing is selected in these lanes, or the mark is not among the data. */
  readonly selected: { readonly lane: string; readonly item: LaneItem } | null
  readonly related: readonly RelatedMark[]
  readonly select: (selection: LaneSelection | null) => void
}

const NO_READINGS: ReadonlyMap<string, LaneReading> = new Map()
/** Lane key of a selection outside of composed lanes. */
const OUTSIDE = ''

/**
 * Lanes of a panel's timeline, from the URL or its preset; the same array until they change. `outside`: selection of
 * the panel itself, which highlights overlapping marks.
 */
export function useComposed(
  panel: ComposedPanel,
  preset: readonly LaneId[],
  outside: LaneSubject | null = null,
): Composed {
  const { view, change } = useView()
  const { definitions, servers, isLoading } = useLaneDefinitions()
  const [readings, setReadings] = useState(NO_READINGS)
  const setReading = useSteady((lane: string, reading: LaneReading): void =>
    setReadings((before) => withReading(before, lane, reading)),
  )
  const text = paramsOfPanel(panel, view.params).composed
  const byDefault = useMemo(() => lanesOf(preset), [preset])
  const lanes = useMemo(() => parseLanes(text, byDefault), [text, byDefault])
  const selection = useMemo(() => parseSelection(view.selection), [view.selection])
  const data = useMemo(() => dataOf(lanes, readings), [lanes, readings])
  const selected = findSelected(selection, data, toleranceOf(readings.get(selection?.lane ?? '')))
  const own = lanes.some(({ server }) => server !== null) ? (servers?.own ?? null) : null
  const short = useMemo(
    () => shortNames(lanes.map((lane) => serverOf(lane, own)).filter((on) => on !== null)),
    [lanes, own],
  )
  const origin = selected ?? (outside === null ? null : { lane: OUTSIDE, item: outside })
  const related = origin === null ? NO_MARKS : relatedMarks(origin, data)
  return {
    panel,
    lanes,
    preset: byDefault,
    definitions,
    isLoading,
    servers,
    titleOf: (lane) => laneTitle(lane, definitions, own),
    shortTitleOf: (lane) => {
      const title = laneTitle({ ...lane, server: null }, definitions)
      return lane.server === null ? title : `${short.get(lane.server) ?? lane.server} · ${title}`
    },
    readings,
    setLanes: (next) => change({ params: toLinkParams(panel, { composed: formatLanes(next, byDefault) }) }),
    setReading,
    selection,
    selected,
    related,
    select: (next) => change({ selection: next === null ? null : formatSelection(next) }),
  }
}

const NO_MARKS: readonly RelatedMark[] = []

/** Tolerance, ticks, for finding a mark of another server again, whose clock is measured repeatedly. */
const toleranceOf = (reading: LaneReading | undefined): number =>
  2 * (reading?.alignment?.plusMinusMs ?? 0) * TICKS_PER_MS

function withReading(
  before: ReadonlyMap<string, LaneReading>,
  lane: string,
  reading: LaneReading,
): ReadonlyMap<string, LaneReading> {
  const { data, error, alignment } = before.get(lane) ?? NOT_READ
  const isSame = data === reading.data && error === reading.error && alignment === reading.alignment
  return isSame ? before : new Map(before).set(lane, reading)
}

function dataOf(
  lanes: readonly ChosenLane[],
  readings: ReadonlyMap<string, LaneReading>,
): ReadonlyMap<string, LaneData> {
  return new Map(
    lanes.flatMap((lane) => {
      const key = chosenKey(lane)
      const data = readings.get(key)?.data ?? null
      return data === null ? [] : [[key, data] as const]
    }),
  )
}

/** Time of the selection, inside or outside of the lanes; null: none. */
export const selectedTime = (
  { selection, selected }: Pick<Composed, 'selection' | 'selected'>,
  outside: LaneSubject | null,
): Pick<LaneItem, 'startTicks' | 'durationTicks'> | null =>
  selected?.item ??
  (selection === null ? outside : { startTicks: selection.startTicks as Ticks, durationTicks: selection.durationTicks })
