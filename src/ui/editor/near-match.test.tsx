import { search, SearchQuery, setSearchQuery } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import { expect, it } from 'vitest'
import { directionOf, placeOfMatch } from './near-match.ts'

const filler = 'x'.repeat(1_500_000)
const text = `Row 1 ${filler} row 2\n${filler} ROW 3 ${filler}`

function placeIn(doc: string, query: ConstructorParameters<typeof SearchQuery>[0], at: number, isBackwards = false) {
  const state = EditorState.create({ doc, selection: { anchor: at }, extensions: search() })
  const searched = state.update({ effects: setSearchQuery.of(new SearchQuery(query)) }).state
  return placeOfMatch(searched, isBackwards)
}

it('finds the next match and the one before over the ends of a large text', () => {
  const places = ['Row 1', 'row 2', 'ROW 3'].map((each) => text.indexOf(each))
  expect(placeIn(text, { search: 'row ' }, 0)).toBe(places[0])
  expect(placeIn(text, { search: 'row ' }, 1)).toBe(places[1])
  expect(placeIn(text, { search: 'row ' }, text.length)).toBe(places[0])
  expect(placeIn(text, { search: 'row ', caseSensitive: true }, text.length)).toBe(places[1])
  expect(placeIn(text, { search: 'row ' }, text.length, true)).toBe(places[2])
  expect(placeIn(text, { search: 'row ' }, (places[2] ?? 0) + 3, true)).toBe(places[1])
  expect(placeIn(text, { search: 'row ' }, 0, true)).toBe(places[2])
  expect(placeIn(text, { search: 'none' }, 0)).toBe(-1)
  expect(placeIn(text, { search: 'none' }, 0, true)).toBe(-1)
})

it('takes each character as it is', () => {
  const odd = `${filler}a.c (1|2) $ ^ [x] {2}`
  for (const wanted of ['a.c', '(1|2)', '$ ^', '[x]', '{2}'])
    expect(placeIn(odd, { search: wanted }, 0)).toBe(odd.indexOf(wanted))
})

it('takes other forms of a character for it, as the editor does in a short text', () => {
  for (const [written, wanted] of [
    ['caf\u00e9', 'cafe'],
    ['CAF\u00c9', 'cafe'],
    ['two\u00a0words', 'two words'],
    ['\uff21\uff11', 'a1'],
  ] as const) {
    const odd = `${filler}${written}${filler}`
    const state = EditorState.create({ doc: written })
    const byEditor = new SearchQuery({ search: wanted }).getCursor(state).next()
    expect(byEditor.value).toMatchObject({ from: 0, to: written.length })
    for (const isBackwards of [false, true])
      expect(placeIn(odd, { search: wanted }, 0, isBackwards)).toBe(filler.length)
  }
  expect(placeIn(`${filler}caf\u00e9s`, { search: 'cafes' }, 0)).toBe(-1)
  expect(placeIn(`${filler}\uff21`, { search: 'a', caseSensitive: true }, 0)).toBe(-1)
})

it('leaves the keys that go to a line, or write a character, to the editor', () => {
  const key = (name: string, more: KeyboardEventInit = {}) =>
    directionOf(new KeyboardEvent('keydown', { key: name, ...more }))
  expect(key('g', { ctrlKey: true })).toBe('next')
  expect(key('F3', { shiftKey: true })).toBe('previous')
  expect(key('g', { ctrlKey: true, altKey: true })).toBeNull()
  expect(key('g')).toBeNull()
})

it('leaves short texts, expressions, words and other alphabets to the editor', () => {
  expect(placeIn('row', { search: 'row' }, 0)).toBeNull()
  for (const query of [
    { search: 'r.w', regexp: true },
    { search: 'row', wholeWord: true },
    { search: 'é' },
    { search: String.raw`a\n` },
    { search: '' },
  ])
    expect(placeIn(text, query, 0)).toBeNull()
})
