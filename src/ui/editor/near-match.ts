import { getSearchQuery } from '@codemirror/search'
import type { EditorState } from '@codemirror/state'
import { ViewPlugin, type EditorView } from '@codemirror/view'

/** Minimum length, in UTF-16 units, for the fast search: the editor's own search compares character by character. */
const LARGE = 500_000
const WINDOW = 1_000_000

const FIRST_BEYOND_ASCII = 0x80
const LAST_OF_PLANE = 0xffff

/** Characters beyond ASCII that the editor's search treats as an ASCII character, by that character. */
interface Variants {
  /** No-break spaces, full-width letters: match anywhere in the search text. */
  readonly whole: ReadonlyMap<string, string>
  /** Letters with a mark, such as `é`: match only at its end, since in their normal form the mark comes next. */
  readonly marked: ReadonlyMap<string, string>
}

let known: Variants | null = null

/**
 * Collects the characters of the first plane whose normal form begins with ASCII. Later letters of a ligature and other
 * planes are left out.
 */
function variants(): Variants {
  if (known !== null) return known
  const [whole, marked] = [new Map<string, string>(), new Map<string, string>()]
  for (let code = FIRST_BEYOND_ASCII; code <= LAST_OF_PLANE; code++) {
    const character = String.fromCharCode(code)
    const normal = character.normalize('NFKD')
    const [first = ''] = normal
    if (first >= '\u0080' || normal === character) continue
    const of = normal.length === 1 ? whole : marked
    of.set(first, (of.get(first) ?? '') + character)
  }
  known = { whole, marked }
  return known
}

const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)

/** Expression that matches what the editor's search would: each character in its normal form. `search` is ASCII. */
function expressionOf(search: string, caseSensitive: boolean): RegExp {
  const { whole, marked } = variants()
  const parts = Array.from(search, (character, at) => {
    const cases = caseSensitive ? [character] : [...new Set([character.toLowerCase(), character.toUpperCase()])]
    const maps = at === search.length - 1 ? [whole, marked] : [whole]
    const others = cases.flatMap((each) => maps.map((map) => map.get(each) ?? '')).join('')
    return others === '' ? escaped(character) : `(?:${escaped(character)}|[${others}])`
  })
  return new RegExp(parts.join(''), caseSensitive ? 'g' : 'gi')
}

/** Position of the first match at or after `from`, else the first one from the start; −1: none. */
function placeAfter(text: string, wanted: RegExp, from: number): number {
  wanted.lastIndex = from
  const found = wanted.exec(text)
  if (found !== null) return found.index
  wanted.lastIndex = 0
  return wanted.exec(text)?.index ?? -1
}

/** Position of the last match that ends at or before `to`, else the last one; −1: none. */
function placeBefore(text: string, wanted: RegExp, length: number, to: number): number {
  const lastUntil = (most: number): number => {
    for (let end = most; end >= length; end -= WINDOW) {
      const start = Math.max(0, end - WINDOW - length)
      const places = Array.from(text.slice(start, end).matchAll(wanted), ({ index }) => start + index)
      const last = places.at(-1)
      if (last !== undefined) return last
    }
    return -1
  }
  const before = lastUntil(to)
  return before < 0 ? lastUntil(text.length) : before
}

/**
 * Position of the next or previous match, wrapping around at the end; −1: none. Null: the text is short, or the search
 * is not plain ASCII, and the editor searches itself.
 */
export function placeOfMatch(state: EditorState, isBackwards: boolean): number | null {
  const { search, regexp, wholeWord, caseSensitive, valid } = getSearchQuery(state)
  if (state.doc.length < LARGE || !valid || regexp || wholeWord || !/^[ -[\]-~]+$/.test(search)) return null
  const wanted = expressionOf(search, caseSensitive)
  const text = state.doc.toString()
  const { from, to } = state.selection.main
  return isBackwards ? placeBefore(text, wanted, search.length, from) : placeAfter(text, wanted, to)
}

/** Direction of a search key or button; null: another event. */
export function directionOf(event: Event): 'next' | 'previous' | null {
  const [target] = event.composedPath()
  const name = target instanceof Element ? target.getAttribute('name') : null
  if (!(event instanceof KeyboardEvent)) return name === 'next' ? 'next' : name === 'prev' ? 'previous' : null
  // With Alt the key goes to a line or types a character.
  if (event.altKey) return null
  const isG = event.key.toLowerCase() === 'g' && (event.ctrlKey || event.metaKey)
  if (!isG && event.key !== 'F3' && !(event.key === 'Enter' && name === 'search')) return null
  return event.shiftKey ? 'previous' : 'next'
}

/** Moves the cursor to the edge of the next match before the editor's search, which then finds it at once. */
function approach(view: EditorView, event: Event): void {
  const direction = directionOf(event)
  if (direction === null) return
  const place = placeOfMatch(view.state, direction === 'previous')
  if (place === null) return
  if (place < 0) {
    // Without a match, the editor would compare each character in vain.
    event.preventDefault()
    event.stopImmediatePropagation()
    return
  }
  const { length } = getSearchQuery(view.state).search
  view.dispatch({ selection: { anchor: direction === 'previous' ? place + length : place } })
}

/** Finds the next match in a large text in a fraction of the time. */
export const nearMatch = ViewPlugin.define((view) => {
  const listen = (event: Event): void => approach(view, event)
  view.dom.addEventListener('keydown', listen, true)
  view.dom.addEventListener('click', listen, true)
  return {
    destroy: () => {
      view.dom.removeEventListener('keydown', listen, true)
      view.dom.removeEventListener('click', listen, true)
    },
  }
})
