import { jsonTextOf } from '../base/json/exact.ts'
import type { WriteRequest } from '../ravendb/http/write.ts'
import type { ServerVersion } from '../ravendb/versions.ts'
import { rightOf, type Action, type ActionCall } from './model.ts'

/** Time limit, ms: the cluster gives up on a command after 15 s, and loading a database may take longer. */
const TIMEOUT_MS = 60_000

const encoded = (parts: readonly string[]): string => parts.map((part) => `/${encodeURIComponent(part)}`).join('')

/** Write request of a call. `requestId`: equal for a retry of the same click; left out: only for display. */
export function writeRequestOf(
  action: Action,
  call: ActionCall,
  version: ServerVersion,
  requestId?: string,
  payload?: Blob,
): WriteRequest {
  const {
    method,
    path,
    query = {},
    body = null,
    ifMatch,
    isRaft,
    timeoutMs,
    mayLoad,
    onlyUnloaded,
  } = action.request(call, version)
  const id = isRaft === true && requestId !== undefined ? { 'raft-request-id': requestId } : {}
  const pairs = Object.entries({ ...query, ...id }).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const { database } = call.target
  const isInside = path[0] === 'databases' && path[1] === database
  return {
    method,
    path: encoded(path) + (pairs.length === 0 ? '' : `?${pairs.join('&')}`),
    route: (isInside ? ['databases', '{database}', ...path.slice(2)] : path).map((part) => `/${part}`).join(''),
    body,
    ...(payload === undefined ? {} : { payload }),
    ...(ifMatch === undefined ? {} : { ifMatch }),
    right: rightOf(action, call.target),
    database: isInside ? database : null,
    mayLoad: mayLoad === true,
    onlyUnloaded: onlyUnloaded === true,
    timeoutMs: timeoutMs ?? TIMEOUT_MS,
  }
}

/** Quotes any text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Write request as a curl command, without the certificate. `transfer`: whether a file goes with it. */
export function curlOf(
  { method, path, body, ifMatch }: WriteRequest,
  serverUrl: string,
  { transfer, payload, optionsPart = 'importOptions' }: Pick<Action, 'transfer' | 'payload' | 'optionsPart'> = {},
): string {
  const isSecured = serverUrl.startsWith('https:')
  const json = body === null ? '' : jsonTextOf(body)
  const data =
    transfer === 'upload'
      ? [`--form-string ${quoted(`${optionsPart}=${json}`)}`, '-F file=@FILE']
      : payload !== undefined
        ? ['--data-binary @FILE']
        : json === ''
          ? []
          : ["-H 'Content-Type: application/json'", `--data ${quoted(json)}`]
  return [
    `curl -X ${method}`,
    ...(isSecured ? ['--cert CLIENT.pem'] : []),
    ...(ifMatch === undefined ? [] : [`-H ${quoted(`If-Match: "${ifMatch}"`)}`]),
    ...data,
    ...(transfer === 'download' ? ['-o FILE'] : []),
    quoted(serverUrl.replace(/\/+$/, '') + path),
  ].join(' ')
}
