import type { LaneId } from './lane.ts'
import type { SourceId } from '../../client/state.ts'

/** A lane on a timeline, as in the URL. */
export interface ChosenLane {
  readonly id: LaneId
  /** Source of the lane; null: all chosen sources, or for another server the server itself. */
  readonly source: SourceId | null
  /** Name of another server of the stand-alone server, as in its path; null: the page's own. */
  readonly server: string | null
  /** Name of the object in the source, for a lane of one object, as `LaneDefinition.objects` lists it. */
  readonly object?: string | undefined
  /** Height set by the user, CSS pixels; null: the default of the feature. */
  readonly heightPx: number | null
  readonly isFolded: boolean
}

/** Lane, source, server and object, which identify a lane that can be added. */
export type LaneChoice = Pick<ChosenLane, 'id' | 'source' | 'server' | 'object'>

/** Key of a lane, unique within a timeline. */
export const chosenKey = ({ id, source, server, object }: LaneChoice): string =>
  `${id}${server === null ? '' : `!${server}`}${object === undefined ? '' : `~${object}`}${source === null ? '' : `@${source}`}`

/** Whether a panel shows the objects of a lane: those of this server and the chosen sources. */
export const isShownHere = ({ source, server }: LaneChoice, sources: readonly SourceId[]): boolean =>
  server === null && (source === null || sources.includes(source))

/** Maximum number of lanes; each is read separately. */
export const MOST_LANES = 40
/** Minimum height, with room for the menu button. */
export const LEAST_PX = 26
/** Height of a lane whose definition has not arrived yet, px: what most lanes have, so that they move little then. */
export const ASSUMED_PX = 44
const MOST_PX = 600
const HEIGHT_STEP = 1.25

/** Text for no lanes, since an empty text is the preset of the panel. */
const NONE = '-'

const laneOf = (id: LaneId): ChosenLane => ({ id, source: null, server: null, heightPx: null, isFolded: false })

/** Lanes with their defaults. */
export const lanesOf = (ids: readonly LaneId[]): readonly ChosenLane[] => ids.map(laneOf)

const isLaneId = (text: string): text is LaneId => /^[\w-]+\.[\w-]+$/.test(text)

/** `io.journals,server.cpu:80!db2:8080,indexing.index:120f~Orders/ByTotal@db:Orders`; empty: as the panel's preset. */
export function formatLanes(lanes: readonly ChosenLane[], preset: readonly ChosenLane[]): string {
  const text = lanes.map(formatLane).join(',')
  if (text === preset.map(formatLane).join(',')) return ''
  return text === '' ? NONE : text
}

function formatLane({ id, source, server, object, heightPx, isFolded }: ChosenLane): string {
  const size = `${heightPx === null ? '' : String(Math.round(heightPx))}${isFolded ? 'f' : ''}`
  const of = source === null ? '' : `@${source.replace(/[%,]/g, encodeURIComponent)}`
  const one = object === undefined ? '' : `~${object.replace(/[%,@]/g, encodeURIComponent)}`
  return `${id}${size === '' ? '' : `:${size}`}${server === null ? '' : `!${server}`}${one}${of}`
}

/** Ignores parts that are not a lane; a text without any lane is the preset. */
export function parseLanes(text: string | undefined, preset: readonly ChosenLane[]): readonly ChosenLane[] {
  if (text === NONE) return []
  const lanes = new Map<string, ChosenLane>()
  for (const part of (text ?? '').split(',')) {
    const lane = parseLane(part)
    if (lane !== null && lanes.size < MOST_LANES && !lanes.has(chosenKey(lane))) lanes.set(chosenKey(lane), lane)
  }
  return lanes.size === 0 ? preset : [...lanes.values()]
}

const LANE = /^([\w.-]+?)(?::(\d{1,4})?(f)?)?(?:!([\w.:-]+))?(?:~([^@]+))?(?:@(.+))?$/su

function parseLane(part: string): ChosenLane | null {
  const [, id = '', height = '', folded = '', server = '', object = '', of = ''] = LANE.exec(part) ?? []
  if (!isLaneId(id)) return null
  return {
    id,
    source: of === '' ? null : decodeText(of),
    server: server === '' ? null : server,
    object: object === '' ? undefined : (decodeText(object) ?? undefined),
    heightPx: height === '' ? null : clampPx(Number(height)),
    isFolded: folded !== '',
  }
}

function decodeText(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

const clampPx = (px: number): number => Math.round(Math.max(LEAST_PX, Math.min(MOST_PX, px)))

const same = (key: string) => (lane: ChosenLane) => chosenKey(lane) === key

/** Unchanged if the lane is there already, or the maximum is reached. */
export const addLane = (lanes: readonly ChosenLane[], lane: LaneChoice): readonly ChosenLane[] =>
  lanes.length >= MOST_LANES || lanes.some(same(chosenKey(lane))) ? lanes : [...lanes, { ...laneOf(lane.id), ...lane }]

export const removeLane = (lanes: readonly ChosenLane[], key: string): readonly ChosenLane[] =>
  lanes.filter((lane) => chosenKey(lane) !== key)

/** Moves a lane to a position, counted without the lane itself. */
export function moveLane(lanes: readonly ChosenLane[], key: string, to: number): readonly ChosenLane[] {
  const lane = lanes.find(same(key))
  if (lane === undefined) return lanes
  const others = removeLane(lanes, key)
  return others.toSpliced(Math.max(0, Math.min(others.length, to)), 0, lane)
}

export const moveLaneBy = (lanes: readonly ChosenLane[], key: string, by: 1 | -1): readonly ChosenLane[] =>
  moveLane(lanes, key, Math.max(0, lanes.findIndex(same(key)) + by))

export const resizeLane = (lanes: readonly ChosenLane[], key: string, heightPx: number): readonly ChosenLane[] =>
  lanes.map((lane) => (chosenKey(lane) === key ? { ...lane, heightPx: clampPx(heightPx), isFolded: false } : lane))

export const stepHeight = (heightPx: number, by: 1 | -1): number => heightPx * HEIGHT_STEP ** by

export const foldLane = (lanes: readonly ChosenLane[], key: string): readonly ChosenLane[] =>
  lanes.map((lane) => (chosenKey(lane) === key ? { ...lane, isFolded: !lane.isFolded } : lane))
