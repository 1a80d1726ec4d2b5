import { expect, it } from 'vitest'
import { layoutSpatial, spatialPicture } from './spatial.ts'

const row = (id: string, body: string) => `{${body},"@metadata":{"@id":"${id}"}}`

it('takes the fields that a query names', () => {
  const text =
    "from Orders as o where spatial.within(spatial.point(o.At.Y, o.At.X), spatial.circle($r, 45, 10, 'miles'))"
  const rows = [row('o/1', '"At":{"Y":45.5,"X":10.25}'), row('o/2', '"At":null'), row('o/3', '"At":{"Y":91,"X":0}')]
  expect(spatialPicture(text, '{"r":100}', rows)).toEqual({
    points: [{ position: 0, id: 'o/1', latitude: 45.5, longitude: 10.25 }],
    circles: [{ latitude: 45, longitude: 10, radiusKm: 160.9344 }],
  })
})

it('finds the place by the names of fields where the point is of an index', () => {
  const text = "from index 'A' where spatial.within(P, spatial.circle(500, 45, 10))"
  const rows = [row('o/1', '"Address":{"Location":{"Latitude":1.5,"Longitude":"-2"}}')]
  expect(spatialPicture(text, '', rows)?.points).toEqual([{ position: 0, id: 'o/1', latitude: 1.5, longitude: -2 }])
})

it('is of spatial queries alone', () => {
  expect(spatialPicture('from Orders', '', [row('o/1', '"Lat":1,"Lng":2')])).toBeNull()
  expect(
    spatialPicture("from index 'A' where spatial.within(P, spatial.wkt('POINT(1 2)'))", '', [row('o/1', '"N":1')]),
  ).toBeNull()
})

it('draws north above, west at the left, and everything inside', () => {
  const { points, circles, width, height } = layoutSpatial({
    points: [
      { position: 0, id: 'north-west', latitude: 60, longitude: 5 },
      { position: 1, id: 'south-east', latitude: 40, longitude: 25 },
    ],
    circles: [{ latitude: 50, longitude: 10, radiusKm: 111.195 }],
  })
  const [first, second] = points
  expect(first && second && first.x < second.x && first.y < second.y).toBe(true)
  expect(points.every(({ x, y }) => x > 0 && x < width && y > 0 && y < height)).toBe(true)
  // A circle stays one where degrees of longitude are narrower.
  const [circle] = circles
  expect((circle?.rx ?? 0) / (circle?.ry ?? 1)).toBeCloseTo(1, 1)
})

it('draws a single point', () => {
  const { points, height } = layoutSpatial({
    points: [{ position: 0, id: null, latitude: 1, longitude: 1 }],
    circles: [],
  })
  expect(points[0]?.x).toBeCloseTo(500)
  expect(Number.isFinite(height)).toBe(true)
})
