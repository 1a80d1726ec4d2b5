import { useMemo, type ReactNode } from 'react'
import { formatPlural } from '../../../base/text/format.ts'
import type { QueryPage, QueryText } from '../contract.ts'
import { layoutSpatial, spatialPicture } from './spatial.ts'
import styles from './query.module.css'

/** Radius of a point, in units of the drawing. */
const POINT = 6
/** Maximum number of ids drawn, because more would overlap. Each point also has its id as tooltip. */
const MOST_NAMED = 30

interface SpatialDrawingProps {
  readonly query: QueryText
  readonly page: QueryPage
}

/** Map of the first results of a spatial query, with their ids; null: the results have no coordinates. */
export function SpatialDrawing({ query: { text, parameters }, page: { rows, total } }: SpatialDrawingProps): ReactNode {
  const picture = useMemo(() => spatialPicture(text, parameters, rows), [text, parameters, rows])
  if (picture === null) return null
  const { width, height, points, circles, west, east, south, north } = layoutSpatial(picture)
  const degrees = (value: number): string => `${value.toFixed(2)}°`
  return (
    <section className="stack" aria-label="Places of the results">
      <p className="note">
        {formatPlural(points.length, 'place')} of {total !== null && total > rows.length ? 'the first ' : ''}
        {formatPlural(rows.length, 'result')}: latitude {degrees(south)} to {degrees(north)}, longitude {degrees(west)}{' '}
        to {degrees(east)}.
      </p>
      <svg
        className={styles.places}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${formatPlural(points.length, 'place')}${circles.length === 0 ? '' : `, ${formatPlural(circles.length, 'circle')} of the query`}`}
      >
        {circles.map(({ x, y, rx, ry }) => (
          <ellipse key={`${x} ${y} ${rx}`} cx={x} cy={y} rx={rx} ry={ry} />
        ))}
        {points.map(({ position, id, x, y, latitude, longitude }) => (
          <circle key={position} cx={x} cy={y} r={POINT}>
            <title>{`${id ?? `Result ${position + 1}`}: ${latitude}, ${longitude}`}</title>
          </circle>
        ))}
        {points.length > MOST_NAMED
          ? null
          : points.map(({ position, id, x, y }) => (
              <text
                key={position}
                x={x > width / 2 ? x - 2 * POINT : x + 2 * POINT}
                y={y + POINT}
                textAnchor={x > width / 2 ? 'end' : 'start'}
              >
                {id}
              </text>
            ))}
      </svg>
    </section>
  )
}
