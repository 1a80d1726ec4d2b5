import type * as Re2 from 're2js'
import type { TextMatch } from '../contract/search.ts'

/** Says whether it occurs anywhere in a text. */
type Matches = (text: string) => boolean

const MOST_CHARACTERS = 500

let engine: typeof Re2 | null = null

/** Loads the engine before `tryMatch`: it is larger than this feed, and few searches are expressions. */
export async function engineFor(match: TextMatch | null): Promise<void> {
  if (match?.isRegex === true) engine ??= await import('re2js')
}

/**
 * Compiles a search text, which matches in any case; an empty one matches everything. An expression is one of RE2, whose
 * time depends on the length of the text alone: no expression can hang. With an `error`, a sentence, `matches` lets all
 * through.
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
    // The whole expression, which has the flags in front of it then, says nothing more.
    const where = part === '' || part.length >= text.length ? '' : `: ${part}`
    return { matches: all, error: `Invalid expression: ${error.getDescription()}${where}` }
  }
}
