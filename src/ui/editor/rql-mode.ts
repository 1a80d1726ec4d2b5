import type { StreamParser } from '@codemirror/language'
import { tokenAt, type RqlTokenKind } from '../../base/rql/tokens.ts'

const STYLES: Readonly<Record<RqlTokenKind, string | null>> = {
  keyword: 'keyword',
  name: 'propertyName',
  function: 'propertyName',
  string: 'string',
  number: 'number',
  parameter: 'atom',
  comment: 'comment',
  operator: null,
  other: null,
}

interface RqlState {
  /** Within a comment of several lines. */
  isComment: boolean
}

/** Highlights RQL line by line. */
export const rqlMode: StreamParser<RqlState> = {
  name: 'rql',
  startState: () => ({ isComment: false }),
  token: (stream, state) => {
    if (state.isComment) {
      const end = stream.string.indexOf('*/', stream.pos)
      stream.pos = end < 0 ? stream.string.length : end + 2
      state.isComment = end < 0
      return 'comment'
    }
    if (stream.eatSpace()) return null
    const token = tokenAt(stream.string, stream.pos)
    stream.pos = token?.to ?? stream.pos + 1
    if (token === null) return null
    state.isComment = token.text.startsWith('/*') && !token.text.endsWith('*/')
    return STYLES[token.kind]
  },
  languageData: { commentTokens: { line: '//' }, closeBrackets: { brackets: ['(', '[', '{', "'", '"'] } },
}
