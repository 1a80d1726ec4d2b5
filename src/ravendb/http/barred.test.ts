import { describe, expect, it } from 'vitest'
import { FakeRaven, json } from '../../testing/fake-raven.ts'
import { recordedJson } from '../../testing/recorded.ts'
import { Governor } from '../governor/governor.ts'
import type { SocketPhase } from '../sockets/socket-events.ts'

const ALL = /^\/(?!studio)/
const WANTS_CODE = () => json({ Type: 'InvalidAuth', Message: 'requires two factor authorization' }, 428)

function setup() {
  const raven = new FakeRaven()
  const governor = new Governor(raven.env)
  const unanswered: number[] = []
  governor.onUnanswered = () => void unanswered.push(raven.clock.nowMs)
  const errors: string[] = []
  const responses: unknown[] = []
  const poll = (): (() => void) =>
    governor.poll(
      'cpuCredits',
      {},
      { everyMs: 1000, onResponse: (response) => responses.push(response), onError: ({ kind }) => errors.push(kind) },
    )
  return { raven, governor, unanswered, errors, responses, poll }
}

describe('a certificate that is let in nowhere', () => {
  it.each([
    ['two-factor', WANTS_CODE],
    ['stranger', () => json(recordedJson('7.1', 'error-403-unknown-certificate.json'), 403)],
    ['stranger', () => json({ Type: 'Rookery.Refused', Message: 'Open the address.' }, 403)],
  ])('is reported once, and nothing more is asked: %s', async (kind, refuse) => {
    const { raven, governor, unanswered, errors, poll } = setup()
    raven.on(ALL, refuse)
    poll()
    await raven.clock.advance(60_000)
    expect(errors).toEqual([kind])
    expect(raven.calls).toHaveLength(1)
    expect(unanswered).toHaveLength(1)
    await expect(governor.json('databases')).rejects.toMatchObject({
      kind,
      endpoint: '/databases?start=0&pageSize=256',
    })
    expect(raven.calls).toHaveLength(1)
  })

  it('is requested again as soon as its version is reported', async () => {
    const { raven, governor, responses, poll } = setup()
    raven.on(ALL, WANTS_CODE)
    poll()
    await raven.clock.advance(10_000)
    raven.routes.length = 0
    await governor.json('buildVersion')
    await raven.clock.advance(500)
    expect(responses).toHaveLength(1)
  })

  it('is not let in by an answer that everybody gets', async () => {
    const { raven, governor } = setup()
    raven.on(ALL, WANTS_CODE)
    await expect(governor.json('databases')).rejects.toMatchObject({ kind: 'two-factor' })
    raven.routes.length = 0
    await expect(governor.json('whoami')).rejects.toMatchObject({ kind: 'two-factor' })
  })

  it('gets its sockets back with the code, at once', async () => {
    const { raven, governor } = setup()
    raven.on(ALL, WANTS_CODE)
    const phases: SocketPhase['phase'][] = []
    governor.openSocket('threadsInfo', {}, { onPhase: ({ phase }) => phases.push(phase), onFrame: () => {} })
    raven.sockets[0]?.cut()
    await raven.clock.advance(1000)
    expect(phases.at(-1)).toBe('refused')
    expect(raven.sockets).toHaveLength(1)
    raven.routes.length = 0
    await governor.json('buildVersion')
    await raven.clock.advance(0)
    expect(raven.sockets).toHaveLength(2)
  })

  it('does not ask in circles where the version is reported and the rest refused', async () => {
    const { raven, governor, poll } = setup()
    governor.onUnanswered = () => void governor.json('buildVersion').catch(() => undefined)
    raven.on(/cpu-credits/, WANTS_CODE)
    poll()
    await raven.clock.advance(60_000)
    expect(raven.paths(/version/).length).toBeLessThanOrEqual(5)
    expect(raven.paths(/cpu-credits/).length).toBeLessThanOrEqual(6)
  })

  it('lacking one right is another matter: the rest continues', async () => {
    const { raven, governor } = setup()
    raven.on(/admin/, () => json(recordedJson('7.1', 'error-403-operator-required.json'), 403))
    await expect(governor.json('adminStats')).rejects.toMatchObject({ kind: 'refused' })
    await expect(governor.json('databases')).resolves.toBeDefined()
  })
})
