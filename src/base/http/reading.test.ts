import { describe, expect, it } from 'vitest'
import { isPlain, isReading } from './reading.mjs'

describe('which requests only read', () => {
  it.each([
    ['GET', '/databases?start=0&pageSize=256'],
    ['GET', '/databases/shop/indexes/stats'],
    ['GET', '/databases/%C3%A9.%20-_1/stats'],
    ['GET', '/databases/shop/indexes/staleness?name=a%2Fb%23c%3Fd%26e'],
    ['GET', '/build/version'],
    ['GET', '/databases/shop/studio/collections/preview?start=0&pageSize=2&binding=a&binding=b%26c'],
    ['GET', '/databases/shop/docs?id=a%2Fb%0A&metadataOnly=true'],
    ['SOCKET', '/cluster-dashboard/watch?node=A'],
    ['POST', '/authentication/2fa?hasLimits=true&sessionDurationInMin=120'],
    ['POST', '/databases/shop/queries?disableAutoIndexCreation=true'],
    ['POST', '/databases/shop/queries?debug=explain'],
  ])('%s %s is on the list', (method, url) => expect(isReading(method, url)).toBe(true))

  it.each([
    ['GET', '/admin/memory/gc'],
    ['GET', '/admin/debug/node/clear-http-clients-pool'],
    ['GET', '/admin/debug/memory/allocations'],
    ['GET', '/admin/debug/memory/gc-events?delay=1'],
    ['GET', '/admin/debug/node/ping?url=http%3A%2F%2Fevil'],
    ['GET', '/admin/certificates/export'],
    ['GET', '/admin/studio-tasks/offline-migration-test?path=%2Fetc'],
    ['GET', '/admin/debug/threads/stack-trace?threadIds=1'],
    ['GET', '/databases/shop/hilo/next?tag=x'],
    ['GET', '/databases/shop/queries?query=from%20X&disableAutoIndexCreation=true'],
    ['GET', '/databases/shop/operations/next-operation-id'],
    ['POST', '/databases/shop/admin/indexes/stop?name=x'],
    ['POST', '/databases/shop/queries'],
    ['POST', '/databases/shop/queries?disableAutoIndexCreation=false'],
    ['POST', '/databases/shop/queries?disableAutoIndexCreation=true&disableAutoIndexCreation=false'],
    ['POST', '/databases/shop/queries?disableAutoIndexCreation=true&DisableAutoIndexCreation=false'],
    ['POST', '/databases/shop/queries?disableautoindexcreation=true'],
    ['POST', '/databases/shop/queries?debug=entries'],
    ['POST', '/databases/shop/streams/queries?disableAutoIndexCreation=true'],
    ['PATCH', '/databases/shop/queries?disableAutoIndexCreation=true'],
    ['DELETE', '/databases/shop/queries?disableAutoIndexCreation=true'],
    ['POST', '/build/version'],
    ['HEAD', '/build/version'],
    ['RESET', '/databases/shop/indexes?name=x'],
    ['DELETE', '/authentication/2fa'],
    ['get', '/build/version'],
    ['GET', '/threads-info/watch'],
    ['SOCKET', '/build/version'],
    ['SOCKET', '/databases/shop/changes'],
  ])('%s %s is not', (method, url) => expect(isReading(method, url)).toBe(false))

  it.each([
    '/BUILD/version',
    '/build/version/',
    '/build/version?',
    '/build/version?x=1',
    '/build/%76ersion',
    '/databases?start=0&start=1',
    '/databases/shop/docs?id=a&id=b',
    '/databases/shop/docs?id=a&include=b',
    '/databases/shop/studio/collections/preview?start=0&start=1&pageSize=1',
    '/databases?Start=0',
    '/databases?start=0&',
    '/databases?start=0?pageSize=1',
    '/databases?name=a&pageSize=1',
    '/databases//stats',
  ])('%s is not, since it is written otherwise', (url) => expect(isReading('GET', url)).toBe(false))
})

describe('an address that all read alike', () => {
  it.each(['/', '/studio/', '/a/b.c?d=%20&e=/?', '/databases/a%20b/docs?id=%E2%82%AC'])('%s is one', (url) =>
    expect(isPlain(url)).toBe(true),
  )

  it.each([
    '',
    'a',
    '*',
    'http://a/',
    '//a',
    '/a//b',
    '/a#b',
    '/databases/d/docs#/../bulk_docs',
    '/a?b#c',
    '/a b',
    '/a\\b',
    '/a%5Cb',
    '/a%2fb',
    '/a/../b',
    '/a/.',
    '/a/%2e%2E/b',
    '/a/.%2e',
    '/%c0%ae%c0%ae/b',
    '/%E0%A4%A',
    '/a%0ab',
    '/a%00',
    '/a\tb',
    '/é',
    '/a[b]',
  ])('%s is none', (url) => expect(isPlain(url)).toBe(false))
})
