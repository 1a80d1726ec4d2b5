import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FakeStorage } from '../../testing/fake-storage.ts'
import type { CaptureClient } from '../../capture/client/client.ts'
import { ViewOnlyMode } from './view-only.ts'

let storage = new FakeStorage()
let changed: (event: Pick<StorageEvent, 'key'>) => void = () => undefined
beforeEach(() => {
  storage = new FakeStorage()
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('addEventListener', (_type: string, listener: typeof changed) => {
    changed = listener
  })
})
afterEach(() => void vi.unstubAllGlobals())

function setup() {
  /** Values that the worker was set to. */
  const set: boolean[] = []
  const client = {
    getState: () => ({ worker: { lives: 1 } }),
    subscribe: () => () => undefined,
    request: (_: string, { isOn }: { isOn: boolean }) => {
      set.push(isOn)
      return Promise.resolve({ isOn, isForced: false })
    },
  } as unknown as CaptureClient
  return { mode: new ViewOnlyMode(client), set }
}

it('is kept in the browser, and set by its other pages', async () => {
  const { mode, set } = setup()
  await mode.set(true)
  expect(mode.getSnapshot()).toEqual({ isOn: true, isForced: false, isStored: true })
  const later = setup()
  await later.mode.apply()
  expect(later.mode.getSnapshot()?.isOn).toBe(true)
  storage.setItem('rookery.viewOnly', '')
  changed({ key: 'rookery.viewOnly' })
  expect([set, later.set]).toEqual([[true], [true, false]])
})

it.each([
  ['full', () => void (storage.room = -1)],
  ['switched off', () => void vi.stubGlobal('localStorage', undefined)],
])('holds for this page where the storage is %s, and says so', async (_, spoil) => {
  const { mode, set } = setup()
  spoil()
  await mode.set(true)
  expect(mode.getSnapshot()).toEqual({ isOn: true, isForced: false, isStored: false })
  // As before each request, and for a new worker.
  await mode.apply()
  await mode.set(false)
  expect(mode.getSnapshot()).toEqual({ isOn: false, isForced: false, isStored: false })
  expect(set).toEqual([true, true, false])
})

it('stays on where all that was stored is removed', async () => {
  const { mode, set } = setup()
  await mode.set(true)
  storage.items.clear()
  changed({ key: null })
  await mode.apply()
  expect(set).toEqual([true, true, true])
  expect(mode.getSnapshot()).toMatchObject({ isOn: true, isStored: false })
})
