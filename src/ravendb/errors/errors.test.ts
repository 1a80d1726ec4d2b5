import { describe, expect, it } from 'vitest'
import { asArray, asNumber, ParseError } from '../../base/json/check.ts'
import { recordedText } from '../../testing/recorded.ts'
import { asRavenError, classify, notJson, RavenError, type RavenErrorKind } from './errors.ts'

const recorded = (name: string): string => recordedText('7.1', `${name}.json`)
const JSON_TYPE = 'application/json; charset=utf-8'

describe('classify', () => {
  it.each<[string, number, RavenErrorKind]>([
    ['error-database-not-found', 500, 'database-missing'],
    ['error-database-disabled', 503, 'database-disabled'],
    ['error-database-load-failure', 503, 'database-faulted'],
    ['error-route-not-found', 400, 'route-missing'],
    ['error-missing-parameter', 500, 'bad-request'],
    ['error-402-license', 402, 'licence'],
    ['error-403-database', 403, 'refused'],
    ['error-403-no-certificate', 403, 'stranger'],
    ['error-403-operator-required', 403, 'refused'],
    ['error-403-unknown-certificate', 403, 'stranger'],
    ['error-index-not-found-staleness', 500, 'server'],
  ])('recorded %s (%d) is %s', (name, status, kind) => {
    const error = classify('/x', status, JSON_TYPE, recorded(name))
    expect(error).toMatchObject({ kind, status, endpoint: '/x' })
    expect(error.serverMessage).not.toBe('')
    expect(error.serverType).not.toBeNull()
    expect(error.hint).not.toBe('')
  })

  it.each<[string, number, RavenErrorKind]>([
    ['Raven.Client.Exceptions.Database.DatabaseLoadTimeoutException', 503, 'database-loading'],
    ['Raven.Client.Exceptions.Database.DatabaseConcurrentLoadTimeoutException', 503, 'database-loading'],
    ['InvalidAuth', 428, 'two-factor'],
    ['System.OperationCanceledException', 503, 'busy'],
    ['System.TimeoutException', 500, 'server'],
    ['Some.Thing', 429, 'busy'],
  ])('%s with %d is %s', (Type, status, kind) => {
    expect(classify('/x', status, JSON_TYPE, JSON.stringify({ Type, Message: 'm' })).kind).toBe(kind)
  })

  it.each<[string, number, RavenErrorKind]>([
    ['Rookery.TargetUnreachable', 502, 'network'],
    ['Rookery.TargetSilent', 504, 'timeout'],
  ])('%s of the stand-alone server is no response of the server behind it', (Type, status, kind) => {
    const Message = 'http://127.0.0.1:9 cannot be reached: connect ECONNREFUSED 127.0.0.1:9'
    const error = classify('/build/version', status, JSON_TYPE, JSON.stringify({ Type, Message }))
    expect(error).toMatchObject({ kind, status: null, message: Message })
  })

  it('distinguishes a database that is being unloaded from a disabled one', () => {
    const Message = "The database 'a' has been unloaded and locked by IdleOperations"
    const body = JSON.stringify({ Type: 'Raven.Client.Exceptions.Database.DatabaseDisabledException', Message })
    expect(classify('/x', 503, JSON_TYPE, body)).toMatchObject({ kind: 'database-unloaded', status: 503 })
  })

  it('names the right that is missing', () => {
    const error = classify('/admin/stats', 403, JSON_TYPE, recorded('error-403-operator-required'), {
      right: 'Operator',
    })
    expect(error.hint).toContain('Operator or ClusterAdmin')
    expect(error.serverMessage).toContain('Operator/ClusterAdmin access is required')
  })

  it.each<[string, RegExp, RegExp]>([
    ['none was provided by the client', /got none/, /when the browser asks/],
    ["'CN=x' is unknown to the server. In order", /does not know this certificate/, /register it/],
    ["'CN=x' has expired on Friday, 20 November 2026.", /has expired/, /a new one/],
  ])('distinguishes who is let in nowhere from one who lacks a right: %s', (Message, what, hint) => {
    const error = classify('/admin/stats', 403, JSON_TYPE, JSON.stringify({ Type: 'InvalidAuth', Message }), {
      right: 'Operator',
    })
    expect(error.kind).toBe('stranger')
    expect(error.message).toMatch(what)
    expect(error.hint).toMatch(hint)
    expect(error.hint).not.toContain('Operator')
  })

  it.each<[string, number, string, string]>([
    ['an error page', 404, 'text/html', '<!doctype html><title>Error response</title>'],
    ['nothing', 404, 'text/plain', ''],
    ['no such method', 501, 'text/html', '<html></html>'],
  ])('a web server of files that answers %s is no RavenDB', (_, status, type, body) => {
    expect(classify('/build/version', status, type, body)).toMatchObject({ kind: 'no-server', status })
    expect(classify('/databases', status, type, body).kind).not.toBe('no-server')
  })

  it('so is one that sends this page for any path; another page is a fault on the way', () => {
    expect(notJson('/build/version', 200, 'text/html', '<!doctype html><title>Rookery</title>').kind).toBe('no-server')
    expect(notJson('/build/version', 200, 'text/html', '<!doctype html><title>Log in</title>').kind).toBe('not-json')
    expect(classify('/build/version', 502, 'text/html', '<title>Bad gateway</title>').kind).toBe('busy')
    const refused = JSON.stringify({ Type: 'Raven.Client.Exceptions.RouteNotFoundException', Message: 'no' })
    expect(classify('/build/version', 404, JSON_TYPE, refused).kind).toBe('route-missing')
  })

  it('trusts the stand-alone server', () => {
    const body = JSON.stringify({ Type: 'Rookery.Refused', Message: 'Open that address.' })
    expect(classify('/x', 403, JSON_TYPE, body)).toMatchObject({
      kind: 'stranger',
      message: 'Open that address.',
      hint: '',
    })
  })

  it('knows an empty 403 as a foreign origin', () => {
    const error = classify('/databases', 403, null, '')
    expect(error.kind).toBe('refused')
    expect(error.message).toContain('origin')
    expect(error.hint).toContain('Origin')
  })

  it('takes the page of a proxy for what it is', () => {
    const page = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>'
    const error = classify('/databases', 502, 'text/html', page, { retryAfterMs: 3000 })
    expect(error).toMatchObject({ kind: 'busy', status: 502, retryAfterMs: 3000 })
    expect(error.message).toContain('an HTML page titled “502 Bad Gateway”')
    expect(classify('/databases', 404, 'text/html', page).kind).toBe('not-json')
    expect(classify('/databases', 401, 'text/html', page).message).toBe('A proxy wants a login (status 401).')
  })

  it('finds the type in a body that was cut', () => {
    const body = recorded('error-database-disabled').slice(0, 300)
    expect(classify('/x', 503, JSON_TYPE, body).kind).toBe('database-disabled')
  })

  it('keeps no more of a load log than can be read', () => {
    const body = JSON.stringify({ Type: 'X', Message: 'log '.repeat(10_000) })
    expect(classify('/x', 500, JSON_TYPE, body).serverMessage?.length).toBeLessThan(4100)
  })
})

describe('notJson', () => {
  it.each([
    ['', 'an empty response'],
    ['{"Databases":[{"Na', 'JSON that is cut off or broken'],
    ['<!DOCTYPE html><p>hello', 'an HTML page'],
    ['upstream gone', 'text/plain beginning “upstream gone”'],
  ])('%j is reported as %s', (body, came) => {
    const error = notJson('/x', 200, 'text/plain', body)
    expect(error.kind).toBe('not-json')
    expect(error.message).toBe(`Expected JSON, came ${came} (status 200).`)
  })
})

describe('RavenError', () => {
  it('becomes plain data that crosses threads', () => {
    const info = new RavenError({ kind: 'network', endpoint: '/databases' }).toInfo()
    expect(structuredClone(info)).toEqual({
      kind: 'network',
      endpoint: '/databases',
      status: null,
      message: 'The server did not answer.',
      serverMessage: null,
      hint: 'Check that the server runs and that its address and certificate are right.',
    })
  })

  it('distinguishes a load that takes long from one that waits for its turn, and keeps the end of the log', () => {
    const of = (type: string, Message: string): RavenError =>
      classify(
        '/x',
        503,
        'application/json',
        JSON.stringify({ Type: `Raven.Client.Exceptions.Database.${type}`, Message }),
      )
    const queue = of('DatabaseConcurrentLoadTimeoutException', 'Too many databases loading concurrently, …')
    expect(queue).toMatchObject({ kind: 'database-loading' })
    expect(queue.message).toContain('timed out waiting to be loaded')
    expect(queue.hint).toContain('Databases.MaxConcurrentLoads')
    const line = "[Load Database] 11/20/2026 12:29:37 :: Database 'a' : Recovering journal"
    const log = `Database a after 00:00:30 is still loading. Log:\n${`${line} 1\n`.repeat(200)}${line} 2\n`
    const loading = of('DatabaseLoadTimeoutException', log)
    expect(loading.message).toBe('The database is still loading. It is at “Recovering journal 2”.')
    expect(loading.serverMessage).toHaveLength(4001)
    expect(loading.serverMessage!.endsWith('Recovering journal 2\n')).toBe(true)
  })

  it('is made of a failed check with path, expected and got', () => {
    const attempt = (): number => asNumber(asArray([1, 'two'], '$')[1], '$[1]')
    expect(attempt).toThrow(ParseError)
    const error = asRavenError(new ParseError('$[1]', 'a number', '"two"'), '/x')
    expect(error).toMatchObject({ kind: 'unexpected', endpoint: '/x' })
    expect(error.message).toContain('At $[1]: expected a number, got "two".')
    expect(asRavenError(error, '/y')).toBe(error)
  })
})
