import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Bytes } from '../../base/brand.ts'
import type { FileEntry } from '../client/state.ts'
import { EntryList } from './entry-list.ts'

const entry = (path: string): FileEntry => ({ path, bytes: 1 as Bytes, feed: null, phase: 'listed', message: '' })

test('law: the joined reports are complete, without duplicates', () => {
  const steps = fc.array(fc.option(fc.nat({ max: 9 }), { freq: 3 }), { maxLength: 40 })
  fc.assert(
    fc.property(steps, (changes) => {
      const list = new EntryList()
      const all = Array.from({ length: 10 }, (_, n) => entry(`${n}`))
      const reported: FileEntry[] = []
      const tell = (): void => {
        const { at, entries } = list.take()
        reported.splice(at, entries.length, ...entries)
        expect(list.take().entries).toEqual([])
      }
      list.fill(all)
      tell()
      changes.forEach((place, step) => {
        if (place === null) return tell()
        all[place] = { ...entry(`${place}`), message: `${step}` }
        list.change(`${place}`, { message: `${step}` })
        return undefined
      })
      list.change('another', { message: 'nowhere' })
      tell()
      expect(reported).toEqual(all)
    }),
  )
})
