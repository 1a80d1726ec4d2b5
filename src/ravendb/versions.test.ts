import { describe, expect, it } from 'vitest'
import { ParseError } from '../base/json/check.ts'
import { RECORDED_LINES, recordedJson } from '../testing/recorded.ts'
import { offers, parseVersion, untestedNote } from './versions.ts'

describe('versions', () => {
  it('reads each line as it was recorded', () => {
    const read = RECORDED_LINES.map((line) => parseVersion(recordedJson(line, 'build-version.json')))
    expect(read).toMatchObject([
      { major: 7, minor: 1, productVersion: '7.1', fullVersion: '7.1.5', build: 71028 },
      { major: 6, minor: 2, productVersion: '6.2', fullVersion: '6.2.4', build: 62028 },
      { major: 5, minor: 4, productVersion: '5.4', fullVersion: '5.4.207', build: 54178 },
    ])
  })

  it('reads a custom build by its numbers', () => {
    expect(parseVersion({ FullVersion: '7.1.5-custom-71' })).toMatchObject({
      major: 7,
      minor: 1,
      productVersion: '7.1',
      build: null,
    })
  })

  it('says what is wrong with another answer', () => {
    expect(() => parseVersion({ FullVersion: 'seven' })).toThrow(ParseError)
    expect(() => parseVersion([])).toThrow('At $: expected an object, got an array of 0.')
  })

  it('offers what the line or an older one has', () => {
    const version = parseVersion({ FullVersion: '6.2.4' })
    expect(offers(version, [6, 2])).toBe(true)
    expect(offers(version, [5, 4])).toBe(true)
    expect(offers(version, [7, 0])).toBe(false)
    expect(offers(version, [6, 3])).toBe(false)
    expect(offers(version, null)).toBe(true)
  })

  it('says which versions it is tested with, only of another line', () => {
    for (const line of RECORDED_LINES)
      expect(untestedNote(parseVersion(recordedJson(line, 'build-version.json')).fullVersion)).toBe(null)
    expect(untestedNote('7.1.99-custom-71')).toBe(null)
    for (const other of ['8.0.0', '7.10.1', '6.0.3'])
      expect(untestedNote(other)).toMatch(
        new RegExp(`^Rookery is not tested with RavenDB ${other.slice(0, -2)}, but with 7\\.1, 6\\.2 and 5\\.4: `),
      )
  })
})
