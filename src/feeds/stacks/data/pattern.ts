import type * as Re2 from 're2js'
import type { TextMatch } from '../contract/search.ts'

/** Whether a text contains a match. */
type Matches = (text: string) => boolean

const MOST_CHARACTERS = 500

let engine: typeof Re2 | null = null

/** Loads the engine before `tryMatch`: it is larger than this feed, and few searches are expressions. */
export async function engineFor(match: TextMatch | null): Promise<void> {
  if (match?.isRegex === true) engine ??= await import('re2js')
}

/**
 * Compiles a search text; ignores case, and an empty text matches everything. Expressions are RE2, whose time is linear
 * in the length of the text, so that none can hang. If there is an `error`, a sentence, `matches` accepts every text.
 */
export function tryMatch({ text, isRegex }: TextMatch): { readonly matches: Matches; readonly error: string | null } {
  const all: Matches = () => true
  if (text === '') return { matches: all, error: null }
  if (!isRegex) {
    const wanted = text.toLowerCase()
    return { matches: (candidate) => candidate.toLowerCase().includes(wanted), error: null }
  }
  if (engine === null) throw new Error('The engine of expressions was not fetched.')
  const { RE2JS, RE2JSSyntaxException } = engine
  if (text.length > MOST_CHARACTERS)
    return { matches: all, error: `An expression may have at most ${MOST_CHARACTERS} characters.` }
  try {
    const pattern = RE2JS.compile(text, RE2JS.CASE_INSENSITIVE | RE2JS.DOTALL)
    return { matches: (candidate) => pattern.test(candidate), error: null }
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error
    const part = error.getPattern() ?? ''
    // The engine quotes the whole expression, with the flags before it, which says nothing more.
    const where = part === '' || part.length >= text.length ? '' : `: ${part}`
    return { matches: all, error: `Invalid expression: ${error.getDescription()}${where}` }
  }
}
