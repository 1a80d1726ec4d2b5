import { describe, expect, it } from 'vitest'
import { FakeRaven, json } from '../../testing/fake-raven.ts'
import { Governor } from '../governor/governor.ts'
import { RavenError } from '../errors/errors.ts'
import { isOutcomeUnknown, type WriteRequest } from './write.ts'

const STOP: WriteRequest = {
  method: 'POST',
  path: '/databases/shop/admin/indexes/stop?name=x',
  route: '/databases/{database}/admin/indexes/stop',
  body: null,
  right: 'DatabaseAdmin',
  database: 'shop',
  timeoutMs: 60_000,
}

function setup(response: () => unknown) {
  const raven = new FakeRaven()
  raven.databases.set('shop', 'loaded')
  raven.on(/indexes\/stop/, response)
  const governor = new Governor(raven.env)
  const sent = (): number => raven.paths(/indexes\/stop/).length
  return { raven, governor, sent }
}

const failed = async (run: Promise<unknown>): Promise<RavenError> => {
  const error: unknown = await run.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof RavenError)) throw new Error('it did not fail')
  return error
}

describe('a request that changes the server', () => {
  it('does not leave before changes were allowed, nor after they were forbidden', async () => {
    const { governor, sent } = setup(() => new Response(null, { status: 204 }))
    expect((await failed(governor.write(STOP))).message).toContain('View only')
    governor.setViewOnly(false)
    expect(await governor.write(STOP)).toEqual({ status: 204, body: null })
    governor.setViewOnly(true)
    await failed(governor.write(STOP))
    governor.setViewOnly(false)
    governor.isViewOnlyForced = true
    await failed(governor.write(STOP))
    expect(sent()).toBe(1)
  })

  it('loads no database', async () => {
    const { raven, governor, sent } = setup(() => new Response(null, { status: 204 }))
    governor.setViewOnly(false)
    raven.databases.set('shop', 'unloaded')
    expect(await failed(governor.write(STOP))).toMatchObject({ kind: 'database-unloaded' })
    expect(sent()).toBe(0)
  })

  it('asks afresh whether its database is loaded: what was believed a moment ago may be over', async () => {
    const { raven, governor, sent } = setup(() => new Response(null, { status: 204 }))
    raven.on(/indexes\/stats/, () => ({ Results: [] }))
    governor.setViewOnly(false)
    // So it is believed to be loaded, for a while.
    await governor.json('indexesStats', { database: 'shop' })
    const requested = raven.paths(/is-loaded/).length
    raven.databases.set('shop', 'unloaded')
    expect(await failed(governor.write(STOP))).toMatchObject({ kind: 'database-unloaded' })
    expect([raven.paths(/is-loaded/).length - requested, sent(), raven.loads]).toEqual([1, 0, []])
    const load = { ...STOP, mayLoad: true, onlyUnloaded: true }
    raven.databases.set('shop', 'loaded')
    expect((await failed(governor.write(load))).message).toContain('loaded by now')
    expect([raven.paths(/is-loaded/).length - requested, sent()]).toEqual([2, 0])
  })

  it('is known not to be sent where the server does not say whether its database is loaded', async () => {
    const { raven, governor, sent } = setup(() => new Response(null, { status: 204 }))
    governor.setViewOnly(false)
    raven.on(/is-loaded/, () => new TypeError('Failed to fetch'))
    const error = await failed(governor.write(STOP))
    expect(error.message).toMatch(/^Nothing was sent\. /)
    expect([isOutcomeUnknown(error, STOP.path), sent()]).toEqual([false, 0])
  })

  it('of an unloaded database is not sent when it is loaded by then: it would end the work of its clients', async () => {
    const { raven, governor, sent } = setup(() => new Response(null, { status: 204 }))
    governor.setViewOnly(false)
    const load = { ...STOP, mayLoad: true, onlyUnloaded: true }
    raven.databases.set('shop', 'unloaded')
    await governor.write(load)
    expect(sent()).toBe(1)
    raven.databases.set('shop', 'loaded')
    expect((await failed(governor.write(load))).message).toContain('loaded by now')
    expect(sent()).toBe(1)
  })

  it('is sent once when the connection is lost, and its outcome is unknown', async () => {
    const { governor, sent } = setup(() => new TypeError('Failed to fetch'))
    governor.setViewOnly(false)
    const error = await failed(governor.write(STOP))
    expect([error.kind, isOutcomeUnknown(error, STOP.path), sent()]).toEqual(['network', true, 1])
  })

  it.each([
    [408, 'System.TimeoutException', true],
    [500, 'System.InvalidOperationException', false],
    [409, 'Raven.Client.Exceptions.ConcurrencyException', false],
    [403, 'InvalidAuth', false],
    [402, 'Raven.Client.Exceptions.Commercial.LicenseLimitException', false],
    [412, 'X', false],
    [404, 'X', false],
  ])('that is answered with %i gives the innermost cause', async (status, type, isUnknown) => {
    const text = `${type}: Outer.\n ---> A.BException: Inner cause\n   at C.D()`
    const { governor } = setup(() => json({ Type: type, Message: 'Outer.', Error: text }, status))
    governor.setViewOnly(false)
    const error = await failed(governor.write(STOP))
    expect(error).toMatchObject({ status, serverMessage: 'Inner cause' })
    expect(isOutcomeUnknown(error, STOP.path)).toBe(isUnknown)
  })

  // As 7.1.5 and 6.2.4 (500) and 5.4.207 (408) answered while an index was being deleted in the middle of a swap.
  it.each([500, 408])(
    'that a database does not apply in time may have happened, and names the known cause (%i)',
    async (status) => {
      const type = 'Raven.Client.Exceptions.Documents.Indexes.IndexDeletionException'
      const cause = `System.TimeoutException: Waited for 00:00:15 but didn't get an index notification for 10.`
      const text = `${type}: Failed to delete index 'X'.\n ---> ${cause}\n   at C.D()`
      const { governor } = setup(() => json({ Type: type, Message: 'Failed.', Error: text }, status))
      governor.setViewOnly(false)
      const error = await failed(governor.write(STOP))
      expect(error.hint).toMatch(/recorded the change.*while a replacement took its place.*restart of the server/)
      expect(isOutcomeUnknown(error, STOP.path)).toBe(true)
    },
  )

  it('that is refused for its text does not repeat the text, which the activity would keep', async () => {
    // As 7.1.5 words it, with two spaces.
    const words = 'Could not parse double: 1e400 at  (1,12)'
    const text = `System.IO.InvalidDataException: ${words} around: {"Secret":1e400}\n   at C.D()`
    const { governor } = setup(() => json({ Type: 'System.IO.InvalidDataException', Message: words, Error: text }, 500))
    governor.setViewOnly(false)
    expect((await failed(governor.write(STOP))).serverMessage).toBe(words)
  })

  const page = (status: number) => new Response('<html><title>Gone</title>', { status })
  const bare = (status: number, headers: Record<string, string> = {}) => new Response(null, { status, headers })
  it.each([
    ['a page of a gateway', page(503), true, /an HTML page titled “Gone” \(status 503\)/, /Look at the state/],
    ['a page in place of an error', page(500), true, /an HTML page/, /Look at the state/],
    ['the login of a proxy', page(401), true, /^A proxy wants a login \(status 401\)\.$/, /Log in to it/],
    ['JSON of a proxy', json({ error: 'upstream' }, 500), true, /JSON/, /Look at the state/],
    ['too large for a proxy', page(413), true, /an HTML page/, /so large a request/],
    ['an empty refusal', bare(400), true, /an empty response/, /^It is not sent again/],
    ['an empty 403', bare(403), true, /origin/, /Origin/],
    ['an empty refusal of the server', bare(404, { 'Raven-Server-Version': '7.1.5.71028' }), false, /404/, /Correct/],
    ['a busy server', json({ Type: 'X.BusyException', Message: 'Later.' }, 503), false, /busy/, /repeat it when/],
  ])('that is answered by %s: whether it may have been done, and what to do', async (_, response, ...expected) => {
    const { governor } = setup(() => response)
    governor.setViewOnly(false)
    const error = await failed(governor.write(STOP))
    const [isUnknown, message, hint] = expected
    expect(error.message).toMatch(message)
    expect(error.hint).toMatch(hint)
    expect(error.hint).not.toContain('tried again')
    expect(isOutcomeUnknown(error, STOP.path)).toBe(isUnknown)
  })

  it('by a method that a proxy does not know names the method and the way round it', async () => {
    const { raven, governor } = setup(() => null)
    raven.on(/\/indexes\?name/, () => bare(400))
    governor.setViewOnly(false)
    const error = await failed(governor.write({ ...STOP, method: 'RESET', path: '/databases/shop/indexes?name=x' }))
    expect(error.hint).toContain('the method RESET')
  })

  it.each([
    [409, 'Database ‘a’ already exists!', /not in use/],
    [500, 'Cannot delete existing index x with lock mode LockedError', /Unlock it/],
    [408, 'Waited for 00:00:15.', /Look at the state/],
    [409, 'It was changed.', /^Another client changed it/],
    [400, 'The name is not permitted.', /Correct the name/],
    [500, 'Disk full.', /log of the server/],
  ])('that is refused with %i “%s” gets a hint by its cause', async (status, message, hint) => {
    const { governor } = setup(() => json({ Type: 'A.BException', Message: message }, status))
    governor.setViewOnly(false)
    expect((await failed(governor.write(STOP))).hint).toMatch(hint)
  })

  it('whose accepted answer is no JSON may have been done', async () => {
    const { governor } = setup(() => new Response('<html>', { status: 200 }))
    governor.setViewOnly(false)
    expect(isOutcomeUnknown(await failed(governor.write(STOP)), STOP.path)).toBe(true)
  })
})
