export type RavenErrorKind =
  | 'network' // no answer at all; the browser does not say why
  | 'timeout'
  | 'aborted' // the caller gave up
  | 'not-json' // an HTML page of a proxy, a cut answer, an empty 200
  | 'unexpected' // JSON, but not of the shape that is known
  | 'too-large'
  | 'refused'
  | 'licence'
  | 'two-factor'
  | 'route-missing'
  | 'database-missing'
  | 'database-disabled'
  | 'database-loading'
  | 'database-faulted'
  | 'database-unloaded' // our own gate: the call was not made
  | 'busy'
  | 'bad-request'
  | 'server'

/** Who may call an endpoint, as the server names it. */
export type Right = 'none' | 'ValidUser' | 'DatabaseAdmin' | 'Operator' | 'ClusterAdmin'

/** The last part of a .NET type name → kind. Source: `samples` of recorded answers, one for each. */
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
])

/** The body's type decides; `InvalidAuth` and bodies without a type are told apart by the status. */
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
  timeout: 'The server did not answer in time.',
  aborted: 'The question was withdrawn.',
  'not-json': 'The answer is not JSON.',
  unexpected: 'The answer is not of the shape that is known.',
  'too-large': 'The answer is larger than this page takes.',
  refused: 'The server refused: the certificate lacks a right.',
  licence: 'The server’s licence does not include this.',
  'two-factor': 'The server wants the second factor of this certificate.',
  'route-missing': 'This version of the server does not offer it.',
  'database-missing': 'There is no such database.',
  'database-disabled': 'The database is disabled.',
  'database-loading': 'The database is still loading.',
  'database-faulted': 'The database failed to load.',
  'database-unloaded': 'The database is not loaded, so nothing was asked of it.',
  busy: 'The server is busy.',
  'bad-request': 'The server did not accept the question.',
  server: 'The server failed to answer.',
}

export const messageFor = (kind: RavenErrorKind, status: number | null): string =>
  status === null || kind === 'database-unloaded'
    ? MESSAGES[kind]
    : `${MESSAGES[kind].slice(0, -1)} (status ${status}).`

const HINTS: Readonly<Record<RavenErrorKind, string>> = {
  network: 'Check that the server runs and that its address and certificate are right. It is tried again.',
  timeout: 'The server or the network is stuck or very slow. It is tried again; the server’s own log may say more.',
  aborted: 'Nothing needs to be done.',
  'not-json':
    'Something between this page and the server answered in its place, or cut the answer: look at the proxy, or log in to it.',
  unexpected:
    'This server’s version may be newer than this studio: use a studio of the same age, and report what came.',
  'too-large': 'Look at fewer things at once.',
  refused: 'Use a certificate that has the right, or ask an administrator for it.',
  licence: 'Ask for a licence that includes it; everything else goes on.',
  'two-factor': 'Open /2fa/index.html at the server’s address, give the code, and come back.',
  'route-missing': 'Use a newer server for this view; everything else goes on.',
  'database-missing': 'It was deleted, or its name is wrong: go back to the list of databases.',
  'database-disabled': 'Enable it to look at it.',
  'database-loading': 'It goes on loading by itself: wait. Nobody can use it until it is loaded.',
  'database-faulted': 'Read what the server says of it and repair it; looking cannot.',
  'database-unloaded': 'Load it yourself if you want to look at it now; looking alone loads nothing.',
  busy: 'Wait: it is tried again, less often.',
  'bad-request': 'This is a fault of the studio or of a name in the address: report it with what the server says.',
  server: 'Read what the server says; its log has more.',
}

const RIGHTS: Readonly<Record<Right, string>> = {
  none: 'no right at all, so the refusal is not about one',
  ValidUser: 'a certificate that the server knows, with access to the database',
  DatabaseAdmin: 'the right Admin on the database',
  Operator: 'the clearance Operator or ClusterAdmin',
  ClusterAdmin: 'the clearance ClusterAdmin',
}

export const hintFor = (kind: RavenErrorKind, right: Right | null): string =>
  kind === 'refused' && right !== null ? `This needs ${RIGHTS[right]}. ${HINTS.refused}` : HINTS[kind]
