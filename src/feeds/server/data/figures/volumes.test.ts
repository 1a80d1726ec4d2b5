import { expect, it } from 'vitest'
import type { Bytes } from '../../../../base/brand.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import { SeriesStore } from '../series.ts'
import type { VolumeWidget } from '../wire/widgets.ts'
import type { DatabasesStore } from './databases/database-store.ts'
import { Volumes } from './volumes.ts'

const volume = (mount: string, freeBytes: number): VolumeWidget =>
  ({ mount, freeBytes: freeBytes as Bytes }) as Partial<VolumeWidget> as VolumeWidget

function volumesOf(...all: readonly VolumeWidget[]): Volumes {
  const volumes = new Volumes()
  volumes.storage(all, 0 as Ticks, new SeriesStore(), {
    onVolume: () => [],
  } as Partial<DatabasesStore> as DatabasesStore)
  return volumes
}

const placed = (mounts: Readonly<Record<string, readonly string[]>>): DatabasesStore =>
  ({ mountsOf: (name: string) => mounts[name] ?? [] }) as Partial<DatabasesStore> as DatabasesStore

it('a server with one volume has everything there', () => {
  const volumes = volumesOf(volume('/', 500))
  expect([volumes.only('shop', placed({})), volumes.only(null, placed({}))]).toEqual(['/', '/'])
  expect(volumes.freeOf('shop', placed({}))).toBe(500)
})

it('of several, a database is on the one that the server reports, and has as much space as the fullest of its own', () => {
  const volumes = volumesOf(volume('/', 500), volume('/journals', 40), volume('/other', 1))
  const databases = placed({ shop: ['/', '/journals'], small: ['/'] })
  expect([volumes.only('small', databases), volumes.only('shop', databases)]).toEqual(['/', null])
  expect([volumes.freeOf('small', databases), volumes.freeOf('shop', databases)]).toEqual([500, 40])
  expect([volumes.only('unknown', databases), volumes.only(null, databases)]).toEqual([null, null])
  expect(volumes.freeOf('unknown', databases)).toBeNull()
})
