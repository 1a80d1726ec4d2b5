import { describe, expect, it } from 'vitest'
import { Gate } from './gate.ts'

function setup(loaded = true): { gate: Gate; server: { loaded: boolean; requested: number }; clock: { ms: number } } {
  const server = { loaded, requested: 0 }
  const clock = { ms: 1_000_000 }
  const gate = new Gate(
    () => clock.ms,
    () => {
      server.requested++
      return Promise.resolve({ IsLoaded: server.loaded })
    },
  )
  return { gate, server, clock }
}

describe('the gate', () => {
  it('asks again a moment after the server said that it is loaded, for it may be unloaded by then', async () => {
    const { gate, server, clock } = setup()
    expect(await gate.isLoaded('db', null)).toBe(true)
    clock.ms += 99
    expect(await gate.isLoaded('db', null)).toBe(true)
    expect(server.requested).toBe(1)
    clock.ms += 1
    server.loaded = false
    expect(await gate.isLoaded('db', null)).toBe(false)
  })

  it('believes the response for two seconds once a request renewed its idle time', async () => {
    const { gate, server, clock } = setup()
    expect(await gate.isLoaded('db', null)).toBe(true)
    gate.renewed('db')
    clock.ms += 1999
    expect(await gate.isLoaded('db', null)).toBe(true)
    gate.renewed('db')
    clock.ms += 1
    expect(await gate.isLoaded('db', null)).toBe(true)
    expect(server.requested).toBe(2)
  })

  it('takes no answered request for a response that it does not have', async () => {
    const { gate, server } = setup(false)
    gate.renewed('db')
    expect(await gate.isLoaded('db', null)).toBe(false)
    gate.renewed('db')
    expect(await gate.isLoaded('db', null)).toBe(false)
    expect(server.requested).toBe(1)
  })

  it('believes for two seconds that it is not loaded, and never what a clock set back would prolong', async () => {
    const { gate, server, clock } = setup(false)
    expect(await gate.isLoaded('db', null)).toBe(false)
    server.loaded = true
    clock.ms += 1999
    expect(await gate.isLoaded('db', null)).toBe(false)
    clock.ms -= 60_000
    expect(await gate.isLoaded('db', null)).toBe(true)
  })

  it('asks when told to, whatever it believes', async () => {
    const { gate, server } = setup()
    await gate.isLoaded('db', null)
    gate.renewed('db')
    server.loaded = false
    expect(await gate.isLoaded('db', null, true)).toBe(false)
  })
})
