import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { lazyPanel } from '../ui/lazyPanel.tsx'
import { stubCapture } from '../testing/stub-capture.ts'
import { fetchAhead } from './fetch-ahead.ts'
import { mayFetchAhead } from './save-data.ts'

vi.mock('./panels.ts', () => ({ PANELS: [] }))

const load = vi.fn(() => Promise.resolve({ default: () => null }))
const openSample = vi.fn(() => new MessageChannel().port1)

beforeEach(() => {
  vi.useFakeTimers()
  vi.clearAllMocks()
  lazyPanel(load)
})

afterEach(() => {
  vi.useRealTimers()
  Reflect.deleteProperty(navigator, 'connection')
})

const setConnection = (connection: unknown): unknown =>
  Object.defineProperty(navigator, 'connection', { value: connection, configurable: true })

it.each([undefined, {}, { saveData: false }])(
  'loads the code of panels ahead, and warms up: %o',
  async (connection) => {
    setConnection(connection)
    expect(mayFetchAhead()).toBe(true)
    fetchAhead(stubCapture(), openSample)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(load).toHaveBeenCalledTimes(1)
    expect(openSample).toHaveBeenCalledTimes(1)
  },
)

it('does neither where the user asks for less data', async () => {
  setConnection({ saveData: true })
  expect(mayFetchAhead()).toBe(false)
  fetchAhead(stubCapture(), openSample)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(load).not.toHaveBeenCalled()
  expect(openSample).not.toHaveBeenCalled()
})
