import { Fields } from '../../../../base/json/fields.ts'

/** Change that a client requested, as the traffic watch reports it once it was answered. */
export interface AnsweredWrite {
  /** Database; null: the server itself. */
  readonly database: string | null
  readonly status: number
  /** Method and path, without host and query. */
  readonly request: string
}

/** Last parts of the paths of changing POSTs. Any other may be a query, or another way to read. */
const CHANGING_POSTS: ReadonlySet<string> = new Set([
  'bulk_docs',
  'bulk_insert',
  'counters',
  'timeseries',
  'import',
  'cmpxchg',
])
const CHANGING: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE'])

/** Maximum length of a path that is kept. */
const MOST_CHARACTERS = 200

/** Reads a frame of the traffic watch. Null: not a write. Errors: `ParseError`. */
export function readAnsweredWrite(text: string): AnsweredWrite | null {
  const frame = new Fields(JSON.parse(text))
  if (frame.all['TrafficWatchType'] !== 'Http') return null
  const method = frame.textOrNull('HttpMethod') ?? ''
  const path = (frame.textOrNull('RequestUri') ?? '').replace(/^\w+:\/\/[^/]+/, '').replace(/[?#].*$/, '')
  const last = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  if (!CHANGING.has(method) && !(method === 'POST' && CHANGING_POSTS.has(last))) return null
  const database = frame.textOrNull('DatabaseName')
  return {
    database: database === null || database === '' || database === 'N/A' ? null : database,
    status: frame.number('ResponseStatusCode'),
    request: `${method} ${path.slice(0, MOST_CHARACTERS)}`,
  }
}

/** Why the server answered with an error, from its log. */
export interface LoggedError {
  readonly request: string
  readonly status: number
  /** .NET name of the exception, without namespace. */
  readonly type: string
  readonly message: string
}

/** Line of a request that failed: `POST /docs - 503 - 2 ms|Namespace.DiskFullException: why` in 7.1, else `…, EXCEPTION: …`. */
const FAILED = /\b([A-Z]+) (\/\S*) - (\d{3}) - [\d,.]+ ms(?:\||, EXCEPTION: )(?:[\w+]+\.)*(\w+): ([^\r\n]*)/

/** Maximum length of a line that is searched, and of a message that is kept. */
const MOST_LINE = 4000
const MOST_MESSAGE = 500

/** Reads a frame of the live log. Null: not the end of a request that failed. */
export function readLoggedError(frame: string): LoggedError | null {
  const [, method = '', path = '', status = '', type = '', message = ''] =
    FAILED.exec(textOfLine(frame).slice(0, MOST_LINE)) ?? []
  if (method === '') return null
  const request = `${method} ${path.replace(/[?#].*$/, '').slice(0, MOST_CHARACTERS)}`
  return { request, status: Number(status), type, message: message.slice(0, MOST_MESSAGE) }
}

/** Text of a line: 7.1 sends an object, earlier versions the line. */
function textOfLine(frame: string): string {
  if (!frame.trimStart().startsWith('{')) return frame
  try {
    const message = (JSON.parse(frame) as { readonly Message?: unknown }).Message
    return typeof message === 'string' ? message : ''
  } catch {
    return ''
  }
}
