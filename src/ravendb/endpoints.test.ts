import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { READS } from '../base/http/reading.mjs'
import { law } from '../testing/law.ts'
import { ENDPOINTS, LIST_SEPARATOR, type EndpointKey } from './endpoints.ts'
import { RavenError } from './errors/errors.ts'

describe('endpoints', () => {
  it('encodes names', () => {
    expect(ENDPOINTS.ioMetricsLive.path({ database: 'a/b?c#d$0 é' })).toBe(
      '/databases/a%2Fb%3Fc%23d%240%20%C3%A9/debug/io-metrics/live',
    )
    expect(
      ENDPOINTS.collectionPreview.path({ database: 'd', start: '0', pageSize: '1', binding: `a&b${LIST_SEPARATOR}c` }),
    ).toBe('/databases/d/studio/collections/preview?start=0&pageSize=1&binding=a%26b&binding=c')
    expect(ENDPOINTS.isLoaded.path({ name: '__proto__' })).toBe('/debug/is-loaded?name=__proto__')
    expect(ENDPOINTS.clusterDashboard.path({ node: 'A' })).toBe('/cluster-dashboard/watch?node=A')
  })

  it('gives every list a limit', () => {
    expect(ENDPOINTS.databases.path({})).toBe('/databases?start=0&pageSize=256')
    expect(ENDPOINTS.databases.path({ start: '512', pageSize: '512' })).toBe('/databases?start=512&pageSize=512')
    expect(ENDPOINTS.databasesState.path({})).toBe('/studio-tasks/databases/state?start=0&pageSize=256')
    expect(ENDPOINTS.indexesNames.path({ database: 'db' })).toBe(
      '/databases/db/indexes?namesOnly=true&start=0&pageSize=1024',
    )
  })

  it.each<[EndpointKey, Record<string, string>, string]>([
    ['footerStats', {}, 'The parameter database is missing.'],
    ['isLoaded', { name: '' }, 'The parameter name is missing.'],
    ['buildVersion', { name: 'x' }, 'The parameter name is not known.'],
  ])('%s with %j says what is wrong', (key, params, message) => {
    expect(() => ENDPOINTS[key].path(params)).toThrow(RavenError)
    expect(() => ENDPOINTS[key].path(params)).toThrow(message)
  })

  it('says so when a name cannot be written', () => {
    expect(() => ENDPOINTS.footerStats.path({ database: '\ud800' })).toThrow(
      'The parameter database is not a text that can be sent.',
    )
  })

  it('marks exactly the routes below a database as loading it', () => {
    const all = Object.values(ENDPOINTS)
    const loading = all.filter((endpoint) => endpoint.loadsDatabase)
    expect(loading).toEqual(all.filter((endpoint) => endpoint.route.startsWith('/databases/')))
    expect(loading).toHaveLength(45)
  })

  it('asks siblings that load nothing', () => {
    const siblings = Object.values(ENDPOINTS).flatMap(({ sibling }) => (sibling === null ? [] : [sibling]))
    expect(siblings).toEqual(['adminIoMetrics', 'adminStats', 'adminStats'])
    expect(siblings.filter((key) => ENDPOINTS[key].loadsDatabase)).toEqual([])
  })

  law('a name never leaves its place in the path', [fc.string({ minLength: 1, unit: 'binary' })], (name) => {
    const path = ENDPOINTS.storageReport.path({ database: name })
    const parts = path.split('/')
    expect(parts).toHaveLength(6)
    expect(decodeURIComponent(parts[2]!)).toBe(name)
  })

  it('are those that pass in view-only mode, but for what only an action needs', () => {
    const named = new Proxy({}, { get: (_, name) => name, ownKeys: () => [], has: () => true })
    const changing = new Set(['dataDirectory', 'nodeInfo', 'nextOperationId', 'nextServerOperationId'])
    const reads = Object.entries(ENDPOINTS).flatMap(([key, { kind, route, path }]) => {
      if (changing.has(key)) return []
      const names = [...new URLSearchParams(path(named).split('?')[1]).keys()]
      const address = `${route.split('?')[0] ?? ''}${names.length === 0 ? '' : `?${names.join('&')}`}`
      return [`${kind === 'socket' ? 'SOCKET' : 'GET'} ${address}`]
    })
    const ofTheCode = [
      'GET /authentication/2fa/configuration',
      'POST /authentication/2fa?hasLimits&sessionDurationInMin',
      'POST /databases/{database}/queries?debug=explain',
      'POST /databases/{database}/queries?disableAutoIndexCreation=true',
      'POST /databases/{database}/queries?disableAutoIndexCreation=true&debug=entries',
    ]
    expect([...reads, ...ofTheCode].toSorted()).toEqual(READS.map((read) => read.replace('*', '')).toSorted())
  })
})
