import { kindOf, memberOf, membersOf, plainText } from '../../../base/json/exact.ts'
import { nameOf } from '../../../base/rql/shape.ts'
import { tokensOf } from '../../../base/rql/tokens.ts'
import { resultRow } from './result-row.ts'

export interface SpatialPoint {
  /** Position among all results. */
  readonly position: number
  readonly id: string | null
  readonly latitude: number
  readonly longitude: number
}

/** Circle in which a query searches; radius in km. */
export interface SpatialCircle {
  readonly latitude: number
  readonly longitude: number
  readonly radiusKm: number
}

export interface SpatialPicture {
  readonly points: readonly SpatialPoint[]
  readonly circles: readonly SpatialCircle[]
}

const KM_OF_MILE = 1.609344
const LATITUDE = /^lat(?:itude)?$/iu
const LONGITUDE = /^(?:lng|lon|long|longitude)$/iu
/** Maximum depth of nested objects that are searched for coordinates. */
const DEEPEST = 3

/**
 * Points of the results of a spatial query, and the circles in its text; null: the query is not spatial, or its results
 * have no coordinates.
 */
export function spatialPicture(text: string, parameters: string, rows: readonly string[]): SpatialPicture | null {
  const calls = spatialCalls(text, parameters)
  if (calls.length === 0) return null
  const named = calls.find(({ name }) => name === 'point')?.given
  const points = rows.flatMap((row, position): SpatialPoint[] => {
    const place = named === undefined ? placeIn(row, 0) : placeAt(row, named)
    return place === null ? [] : [{ position, id: resultRow(row, position).id, ...place }]
  })
  if (points.length === 0) return null
  const circles = calls.flatMap(({ name, given }): SpatialCircle[] => {
    const [radius, latitude, longitude] = given.slice(0, 3).map(Number)
    if (name !== 'circle' || radius === undefined || latitude === undefined || longitude === undefined) return []
    if (![radius, latitude, longitude].every(Number.isFinite)) return []
    const isMiles = /^mi/iu.test(given[3] ?? '')
    return [{ latitude, longitude, radiusKm: isMiles ? radius * KM_OF_MILE : radius }]
  })
  return { points, circles }
}

interface Call {
  readonly name: string
  /** Arguments, with parameters replaced by their values. */
  readonly given: readonly string[]
}

function spatialCalls(text: string, parameters: string): readonly Call[] {
  const values = parameters.trim() === '' ? '{}' : parameters
  const bodies = text.matchAll(/\bspatial\s*\.\s*(\w+)\s*\((?=([^()]*))/giu)
  return [...bodies].map(([, name = '', body = '']) => ({
    name: name.toLowerCase(),
    given: body.split(',').map((part) => {
      const given = part.trim()
      if (given.startsWith('$')) return plainText(memberOf(values, given.slice(1)) ?? 'null')
      const [token] = tokensOf(given)
      return token?.kind === 'string' ? nameOf(token) : given
    }),
  }))
}

type Place = Pick<SpatialPoint, 'latitude' | 'longitude'>

const numberOf = (value: string | null | undefined): number => (value == null ? Number.NaN : Number(plainText(value)))

const placeOf = (latitude: number, longitude: number): Place | null =>
  Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null

/**
 * Reads coordinates at the paths given in `spatial.point(o.Location.Lat, o.Location.Lng)`, which may begin with the
 * alias of the document.
 */
function placeAt(row: string, [latitude = '', longitude = '']: readonly string[]): Place | null {
  const at = (path: string): number => {
    const names = path.split('.')
    for (const from of [names, names.slice(1)]) {
      let value: string | null = row
      for (const name of from) value = value === null ? null : memberOf(value, name)
      if (value !== null && from.length > 0) return numberOf(value)
    }
    return Number.NaN
  }
  return placeOf(at(latitude), at(longitude))
}

/** Finds coordinates by field names, because only an index defines which fields form its points. */
function placeIn(value: string, depth: number): Place | null {
  if (kindOf(value) !== 'object') return null
  const members = membersOf(value)
  const own = placeOf(
    numberOf(members.find(({ key }) => LATITUDE.test(key))?.value),
    numberOf(members.find(({ key }) => LONGITUDE.test(key))?.value),
  )
  if (own !== null || depth === DEEPEST) return own
  for (const { key, value: inner } of members) {
    const found = key === '@metadata' ? null : placeIn(inner, depth + 1)
    if (found !== null) return found
  }
  return null
}

const KM_OF_DEGREE = 111.195

export interface SpatialLayout {
  readonly width: number
  readonly height: number
  readonly points: readonly (SpatialPoint & { readonly x: number; readonly y: number })[]
  readonly circles: readonly { readonly x: number; readonly y: number; readonly rx: number; readonly ry: number }[]
  /** Edges, degrees. */
  readonly west: number
  readonly east: number
  readonly south: number
  readonly north: number
}

/** Margin around the content, as a share of its size. */
const AROUND = 0.05
const LEAST_DEGREES = 0.01
const WIDTH = 1000
/** Minimum and maximum ratio of height to width, so that every drawing fits on a screen. */
const FLATTEST = 0.25
const TALLEST = 1

/** Projects coordinates to a plane. Degrees of longitude have the width that they have at the middle latitude. */
export function layoutSpatial({ points, circles }: SpatialPicture): SpatialLayout {
  const boxes = circles.map(({ latitude, longitude, radiusKm }) => {
    const high = radiusKm / KM_OF_DEGREE
    const wide = high / Math.max(0.05, Math.cos((latitude * Math.PI) / 180))
    return { latitude, longitude, high, wide }
  })
  const latitudes = [
    ...points.map(({ latitude }) => latitude),
    ...boxes.flatMap(({ latitude, high }) => [latitude - high, latitude + high]),
  ]
  const longitudes = [
    ...points.map(({ longitude }) => longitude),
    ...boxes.flatMap(({ longitude, wide }) => [longitude - wide, longitude + wide]),
  ]
  const high = widened(Math.min(...latitudes), Math.max(...latitudes))
  const wide = widened(Math.min(...longitudes), Math.max(...longitudes))
  const narrowing = Math.max(0.05, Math.cos((((high[0] + high[1]) / 2) * Math.PI) / 180))
  const shape = (high[1] - high[0]) / ((wide[1] - wide[0]) * narrowing)
  const [south, north] = stretched(high, Math.max(1, FLATTEST / shape))
  const [west, east] = stretched(wide, Math.max(1, shape / TALLEST))
  const height = WIDTH * Math.min(TALLEST, Math.max(FLATTEST, shape))
  const x = (longitude: number): number => ((longitude - west) / (east - west)) * WIDTH
  const y = (latitude: number): number => ((north - latitude) / (north - south)) * height
  return {
    width: WIDTH,
    height,
    points: points.map((point) => ({ ...point, x: x(point.longitude), y: y(point.latitude) })),
    circles: boxes.map(({ latitude, longitude, high, wide }) => ({
      x: x(longitude),
      y: y(latitude),
      rx: (wide / (east - west)) * WIDTH,
      ry: (high / (north - south)) * height,
    })),
    west,
    east,
    south,
    north,
  }
}

/** Scales a range around its middle by a factor. */
function stretched([low, high]: readonly [number, number], by: number): readonly [number, number] {
  const more = ((high - low) * (by - 1)) / 2
  return [low - more, high + more]
}

function widened(low: number, high: number): readonly [number, number] {
  const more = Math.max(LEAST_DEGREES, (high - low) * AROUND)
  return [low - more, high + more]
}
