export type RavenErrorKind =
  | 'network' // no response at all; the browser does not say why
  | 'no-server' // a web server of files answers, and no RavenDB is behind it
  | 'timeout'
  | 'aborted' // the caller gave up
  | 'not-json' // an HTML page of a proxy, a truncated response, an empty 200
  | 'unexpected' // JSON, but not of the shape that is known
  | 'too-large'
  | 'refused'
  | 'stranger' // no or no known certificate: every request is refused
  | 'licence'
  | 'two-factor'
  | 'route-missing'
  | 'database-missing'
  | 'database-disabled'
  | 'database-loading'
  | 'database-faulted'
  | 'database-unloaded' // our own gate: the call was not made
  | 'database-resting' // our own policy: the call would have kept it loaded, and was not made
  | 'busy'
  | 'bad-request'
  | 'server'

/** Right that an endpoint needs, in the server's terms. */
export type Right = 'none' | 'ValidUser' | 'Database' | 'DatabaseWrite' | 'DatabaseAdmin' | 'Operator' | 'ClusterAdmin'

/** Last part of a .NET type name → kind; each was recorded from a server's response. */
const KIND_OF_TYPE: ReadonlyMap<string, RavenErrorKind> = new Map([
  ['DatabaseDoesNotExistException', 'database-missing'],
  ['DatabaseDisabledException', 'database-disabled'],
  ['DatabaseLoadTimeoutException', 'database-loading'],
  ['DatabaseConcurrentLoadTimeoutException', 'database-loading'],
  ['DatabaseLoadFailureException', 'database-faulted'],
  ['RouteNotFoundException', 'route-missing'],
  ['LicenseLimitException', 'licence'],
  ['ArgumentException', 'bad-request'],
  ['ArgumentNullException', 'bad-request'],
  ['ArgumentOutOfRangeException', 'bad-request'],
  ['NotSupportedInShardingException', 'bad-request'],
  ['FormatException', 'bad-request'],
  ['CounterOverflowException', 'bad-request'],
  ['NanValueException', 'bad-request'],
])

/** Errors of the stand-alone server itself (`tools/serve/forward.mjs`), in place of the server behind it. */
export const FORWARDER_KINDS: ReadonlyMap<string, RavenErrorKind> = new Map([
  ['Rookery.TargetUnreachable', 'network'],
  ['Rookery.TargetSilent', 'timeout'],
])

/** Kind of an error by the `Type` in its body; the status distinguishes `InvalidAuth` and bodies without a type. */
export function classifyKind(status: number, serverType: string | null): RavenErrorKind {
  const known = serverType === null ? undefined : KIND_OF_TYPE.get(serverType.slice(serverType.lastIndexOf('.') + 1))
  if (known !== undefined) return known
  if (status === 428) return 'two-factor'
  if (status === 401 || status === 403) return 'refused'
  if (status === 402) return 'licence'
  if (status === 429 || status === 503) return 'busy'
  return status >= 400 && status < 500 ? 'bad-request' : 'server'
}

const MESSAGES: Readonly<Record<RavenErrorKind, string>> = {
  network: 'The server did not answer.',
  'no-server': 'No RavenDB server at this address.',
  timeout: 'The server did not answer in time.',
  aborted: 'The request was cancelled.',
  'not-json': 'The response is not JSON.',
  unexpected: 'The response is not of the shape that is known.',
  'too-large': 'The response is larger than this page takes.',
  refused: 'The server refused: the certificate lacks a right.',
  stranger: 'The server does not let this browser in.',
  licence: 'The server’s licence does not include this.',
  'two-factor': 'The server wants the two-factor code of this certificate.',
  'route-missing': 'This version of the server does not offer it.',
  'database-missing': 'There is no such database.',
  'database-disabled': 'The database is disabled.',
  'database-loading': 'The database is still loading.',
  'database-faulted': 'The database failed to load.',
  'database-unloaded': 'The database is not loaded, so nothing was sent to it.',
  'database-resting': 'No other client uses the database, so nothing was requested of it.',
  busy: 'The server is busy.',
  'bad-request': 'The server did not accept the request.',
  server: 'The server failed to answer.',
}

export const messageFor = (kind: RavenErrorKind, status: number | null): string =>
  status === null || kind === 'database-unloaded'
    ? MESSAGES[kind]
    : `${MESSAGES[kind].slice(0, -1)} (status ${status}).`

const HINTS: Readonly<Record<RavenErrorKind, string>> = {
  network: 'Check that the server runs and that its address and certificate are right.',
  'no-server': 'Open a file; or open the studio at a server, or with `npm start -- --server URL` in front of one.',
  timeout: 'The server or the network is stuck or very slow. The server’s own log may say more.',
  aborted: 'Nothing needs to be done.',
  'not-json':
    'Something between this page and the server answered in its place, or truncated the response: check the proxy, or log in to it.',
  unexpected:
    'This server’s version may be newer than this studio: use a studio of the same age, and report what came.',
  'too-large': 'Select less at once.',
  refused: 'Use a certificate that has the right, or ask an administrator for it.',
  stranger: 'Use a certificate that the server knows, or ask an administrator to register this one.',
  licence: 'It needs a licence that includes it; everything else works.',
  'two-factor': 'Nothing else is answered until it has the code.',
  'route-missing': 'Use a newer server for this view; everything else works.',
  'database-missing': 'It was deleted, or its name is wrong: go back to the list of databases.',
  'database-disabled': 'Enable it to open it.',
  'database-loading': 'Loading continues: wait. No client can use it until it is loaded.',
  'database-faulted': 'Read the server’s message and repair it; Rookery cannot.',
  'database-unloaded': 'Load it if you want to see it now; Rookery loads nothing by itself.',
  'database-resting': 'A request would keep it loaded. Open its page to read it now.',
  busy: 'Wait until it has less to do.',
  'bad-request':
    'Read what the server says, and correct what was entered. If nothing was entered, report it as a fault of the studio.',
  server: 'Read what the server says; its log has more.',
}

/** Right that an endpoint needs, in the server's words. */
export const RIGHTS: Readonly<Record<Right, string>> = {
  none: 'no right at all, so the refusal is not about one',
  ValidUser: 'a certificate that the server knows',
  Database: 'access to the database, reading is enough',
  DatabaseWrite: 'the right ReadWrite on the database',
  DatabaseAdmin: 'the right Admin on the database',
  Operator: 'the clearance Operator or ClusterAdmin',
  ClusterAdmin: 'the clearance ClusterAdmin',
}

export const hintFor = (kind: RavenErrorKind, right: Right | null): string =>
  kind === 'refused' && right !== null ? `This needs ${RIGHTS[right]}. ${HINTS.refused}` : HINTS[kind]

/** Messages of the server for a client without any access → message and hint. Recorded on 7.1.5 as error-403-*. */
const STRANGERS: readonly { readonly reported: RegExp; readonly message: string; readonly hint: string }[] = [
  {
    reported: /none was provided/,
    message: 'The server wants a client certificate and got none.',
    hint: 'Choose one when the browser asks. It remembers the choice: a private window, or a restart, has it ask again.',
  },
  {
    reported: /is unknown to the server/,
    message: 'The server does not know this certificate.',
    hint: 'Ask an administrator to register it, or use another: a private window, or a restart, has the browser ask again.',
  },
  {
    reported: /has expired on/,
    message: 'This certificate has expired.',
    hint: 'Ask an administrator for a new one.',
  },
]

/** Message and hint for a client without any access; null: the refusal is about the request, not the client. */
export function strangerOf(type: string | null, reported: string | null): { message: string; hint?: string } | null {
  // written by tools/serve.mjs, with what to do
  if (type === 'Rookery.Refused') return { message: reported ?? MESSAGES.stranger, hint: '' }
  return type === 'InvalidAuth' ? (STRANGERS.find((each) => each.reported.test(reported ?? '')) ?? null) : null
}
