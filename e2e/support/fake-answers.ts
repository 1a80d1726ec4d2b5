import { recordedJson, recordedText } from '../../src/testing/recorded.ts'

/** Response in place of the usual one. `cut`: the connection ends after this body, although more was announced. */
export interface Reply {
  readonly status: number
  readonly type: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
  readonly cut?: boolean
}

const JSON_TYPE = 'application/json; charset=utf-8'

export const okJson = (value: unknown): Reply => ({ status: 200, type: JSON_TYPE, body: JSON.stringify(value) })

const recordedError = (status: number, name: string): Reply => ({
  status,
  type: JSON_TYPE,
  body: recordedText('7.1', name),
})

/** Failures of servers and of proxies before them. */
export const FAULTS = {
  loginPage: {
    status: 200,
    type: 'text/html; charset=utf-8',
    body: '<!doctype html><title>Sign in to the gateway</title><form>…</form>',
  },
  gatewayPage: {
    status: 502,
    type: 'text/html',
    body: '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>',
  },
  /** Whole for HTTP, half for JSON, as a proxy's limit leaves it. */
  truncated: { status: 200, type: JSON_TYPE, body: '{"BuildVersion":71028,"Databases":[{"Name":"Ord' },
  /** The connection ends in the middle of the body. */
  cutOff: { status: 200, type: JSON_TYPE, body: '{"BuildVersion":71', cut: true },
  loading: {
    status: 503,
    type: JSON_TYPE,
    body: JSON.stringify({
      Url: '/databases/Orders/stats',
      Type: 'Raven.Client.Exceptions.Database.DatabaseLoadTimeoutException',
      Message: 'Timeout when loading database Orders after 00:00:30, try again later',
      Error: 'Raven.Client.Exceptions.Database.DatabaseLoadTimeoutException: Timeout when loading database\n   at …',
    }),
  },
  noGrant: recordedError(403, 'error-403-database.json'),
  notOperator: recordedError(403, 'error-403-operator-required.json'),
  noCertificate: recordedError(403, 'error-403-no-certificate.json'),
  foreignOrigin: { status: 403, type: 'text/plain', body: '' },
  databaseMissing: recordedError(500, 'error-database-not-found.json'),
  databaseDisabled: recordedError(503, 'error-database-disabled.json'),
  tooManyRequests: { status: 429, type: 'text/plain', body: 'slow down', headers: { 'retry-after': '30' } },
} as const satisfies Record<string, Reply>

/** An event as the live socket sends it; invalid values are sent as given. */
export interface FakeEvent {
  readonly Type: string
  readonly Start: string
  readonly Size: unknown
  readonly FileSize: unknown
  readonly Duration: unknown
}

/** Times as the server writes them: UTC with seven digits. */
export const stamp = (atMs: number): string => `${new Date(atMs).toISOString().slice(0, -1)}0000Z`

export const fakeEvent = (startMs: number, parts: Partial<FakeEvent> = {}): FakeEvent => ({
  Type: 'JournalWrite',
  Start: stamp(startMs),
  Size: 8192,
  FileSize: 262144,
  Duration: 1.25,
  ...parts,
})

export interface DeltaPlace {
  readonly path: string
  readonly type?: string
  readonly file?: string
  readonly status?: string
}

/** A frame of the live socket that holds events of one file. */
export const delta = (events: readonly unknown[], { path, type, file, status }: DeltaPlace): object => ({
  Environments: [
    {
      Path: path,
      Type: type ?? 'Documents',
      Files: [{ File: file ?? '0000000000000000099.journal', Status: status ?? 'Closed', Recent: events, History: [] }],
    },
  ],
  Performances: [],
})

/** The recorded rings of database `iodemo`, under another name, moved in time so that the newest event begins at `newestMs`. */
export function rings(database: string, newestMs: number): string {
  const text = recordedText('7.1', 'io-metrics.json').replaceAll(
    '/Databases/iodemo',
    `/Databases/${jsonText(database)}`,
  )
  const newest = [...text.matchAll(/"Start":"([^"]+)"/g)].reduce((last, [, at]) => (at! > last ? at! : last), '')
  const byMs = Math.round((newestMs - Date.parse(newest)) / 1000) * 1000
  return text.replace(
    /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{7}Z)"/g,
    (_, seconds: string, fraction: string) =>
      `"${new Date(Date.parse(`${seconds}Z`) + byMs).toISOString().slice(0, 19)}${fraction}"`,
  )
}

/** The rings with one more event, in a file of its own: as the server answers after `delta` reported it. */
export function withDelta(first: string, frame: ReturnType<typeof delta>): string {
  interface Doc {
    readonly Environments: {
      readonly Path: string
      readonly Files: { readonly File: string; readonly Recent: unknown[] }[]
    }[]
  }
  const document = JSON.parse(first) as Doc
  for (const { Path, Files } of (frame as Doc).Environments) {
    const files = document.Environments.find((each) => each.Path === Path)?.Files
    for (const file of Files) {
      const known = files?.find((each) => each.File === file.File)
      if (known === undefined) files?.push(file)
      else known.Recent.push(...file.Recent)
    }
  }
  return JSON.stringify(document)
}

const jsonText = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Folder of a database's documents, the same as in `rings`. */
export const documentsPath = (database: string): string => `/var/lib/ravendb/data/Databases/${database}`

export const INDEXES = ['Events/Lines/FanOut', 'Events/CountByKindAndHour', 'Events/ByKind']

export type FakeState = 'online' | 'unloaded' | 'loading' | 'faulted' | 'disabled'

/** An entry of `/databases`. */
export const databaseEntry = (name: string, state: FakeState): object =>
  state === 'faulted'
    ? { Name: name, NodesTopology: {}, LoadError: 'VoronUnrecoverableErrorException: the journal is corrupt\n   at …' }
    : {
        Name: name,
        Disabled: state === 'disabled',
        UpTime: state === 'online' ? '00:12:34.5000000' : null,
        TotalSize: { HumaneSize: '12 MBytes', SizeInBytes: 12582912 },
        TempBuffersSize: { HumaneSize: '0 Bytes', SizeInBytes: 0 },
        DocumentsCount: 1059,
        IndexesCount: 3,
        IndexingErrors: 0,
        Alerts: 0,
        IndexingStatus: 'Running',
        LoadError: null,
      }

export const stateEntry = (name: string, state: FakeState): object => ({
  Name: name,
  DatabaseStatus: state === 'loading' ? 'Loading' : state === 'online' ? 'Online' : 'None',
  LoadError: state === 'faulted' ? 'VoronUnrecoverableErrorException: the journal is corrupt' : null,
})

export const buildVersion = (): unknown => recordedJson('7.1', 'build-version.json')
export const adminRings = (): string => recordedText('7.1', 'admin-io-metrics.json')

/** Figures of the server itself, as recorded; a page requests them all the time, and no test depends on them. */
export const QUIET_ANSWERS: Readonly<Record<string, () => unknown>> = {
  '/debug/server-id': () => recordedJson('7.1', 'server-id.json'),
  '/cluster/topology': () => recordedJson('7.1', 'cluster-topology.json'),
  '/admin/cluster/log': () => recordedJson('7.1', 'cluster-log.json'),
  '/admin/stats': () => recordedJson('7.1', 'admin-stats.json'),
  '/admin/metrics': () => recordedJson('7.1', 'admin-metrics.json'),
  '/debug/cpu-credits': () => recordedJson('7.1', 'cpu-credits.json'),
  '/admin/debug/memory/low-mem-log': () => recordedJson('7.1', 'memory-low-mem-log.json'),
  '/admin/debug/info/tcp/stats': () => recordedJson('7.1', 'tcp-stats.json'),
  '/license/status': () => recordedJson('7.1', 'license-status.json'),
}
