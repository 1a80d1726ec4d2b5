import { afterEach, expect, it, vi } from 'vitest'
import { lanesOf } from '../../../capture/frame/lanes/chosen.ts'
import { formatPresets, parsePresets, PresetStore } from './presets.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
})

const SLOW = { name: 'Slow writes', lanes: lanesOf(['io.journals', 'stalls.stalls']) }

it('presets go out and come back, and are kept for the next page', () => {
  expect(parsePresets(formatPresets([SLOW]))).toEqual([SLOW])
  const store = new PresetStore()
  expect(store.put([SLOW])).toBe(true)
  expect(new PresetStore().presets.get()).toEqual([SLOW])
  const other = { name: 'Slow writes', lanes: lanesOf(['server.cpu']) }
  store.put([other])
  expect(new PresetStore().presets.get()).toEqual([other])
  store.remove('Slow writes')
  expect(new PresetStore().presets.get()).toEqual([])
})

it('other files are refused, and entries that are none left out', () => {
  expect(parsePresets('')).toBeNull()
  expect(parsePresets('[]')).toBeNull()
  expect(parsePresets('{"format":"rookery-runs","presets":[]}')).toBeNull()
  const text = JSON.stringify({
    format: 'rookery-timeline-presets',
    presets: [
      null,
      { name: 1, lanes: 'io.journals' },
      { name: ' ', lanes: 'io.journals' },
      { name: 'a', lanes: '?' },
      {
        name: ' b ',
        lanes: 'io.journals:40',
      },
    ],
  })
  expect(parsePresets(text)?.map(({ name }) => name)).toEqual(['b'])
})

it('a browser that stores nothing keeps them for the page, and that is reported', () => {
  const setItem = (): void => {
    throw new Error('full')
  }
  vi.stubGlobal('localStorage', { getItem: () => null, setItem })
  const store = new PresetStore()
  expect(store.put([SLOW])).toBe(false)
  expect(store.presets.get()).toEqual([SLOW])
})
