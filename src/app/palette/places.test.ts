import { expect, it } from 'vitest'
import { PANELS } from '../panels.ts'
import { PANEL_WORDS, PLACES } from './places.ts'

it('has a name of its own for each panel and view', () => {
  const names = [...PANELS.map(({ title }) => title), ...PLACES.map(({ text }) => text)]
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
})

it('finds every panel by words besides its name', () => {
  expect(PANELS.filter(({ id }) => PANEL_WORDS[id] === undefined).map(({ id }) => id)).toEqual([])
})
