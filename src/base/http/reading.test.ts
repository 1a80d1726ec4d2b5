import { describe, expect, it } from 'vitest'
import { isReading } from './reading.mjs'

describe('which requests only read', () => {
  it.each([
    ['GET', '/databases?start=0'],
    ['GET', '/databases/shop/indexes/stats'],
    ['HEAD', '/build/version'],
    ['GET', '/databases/shop/queries?query=from%20X&disableAutoIndexCreation=true'],
    ['POST', '/databases/shop/queries?debug=explain'],
    ['POST', '/databases/shop/docs'],
    ['POST', '/authentication/2fa'],
  ])('%s %s reads', (method, url) => expect(isReading(method, url)).toBe(true))

  it.each([
    ['POST', '/databases/shop/queries'],
    ['POST', '/databases/shop/queries?debug=explain&debug=entries'],
    ['GET', '/databases/shop/queries?query=from%20X%20where%20a%3D1'],
    ['GET', '/databases/shop/streams/queries?query=x&disableAutoIndexCreation=true'],
    ['GET', '/admin/memory/gc'],
    ['GET', '/ADMIN//memory/%67c'],
    ['GET', '/databases/shop/admin/smuggler/import?url=http://evil'],
    ['GET', '/databases/shop/hilo/next?tag=x'],
    ['GET', '/databases/shop/admin/transactions-mode?mode=Lazy'],
    ['GET', '/admin/debug/dump'],
    ['GET', '/databases/../admin/memory/gc'],
    ['GET', '/%E0%A4%A'],
    ['POST', '/databases/shop/admin/indexes/stop?name=x'],
    ['RESET', '/databases/shop/indexes?name=x'],
    ['DELETE', '/databases/shop/docs'],
    ['PUT', '/databases/shop/docs'],
    ['PATCH', '/databases/shop/docs'],
    ['get', '/build/version'],
  ])('%s %s may change', (method, url) => expect(isReading(method, url)).toBe(false))
})
