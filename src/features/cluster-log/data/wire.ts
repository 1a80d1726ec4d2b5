import { asArray, asNumber, asObject, asString, orNull } from '../../../base/json/check.ts'
import { parseTicks, type Ticks } from '../../../base/ticks.ts'
import type { ClusterLog } from '../contract.ts'

export interface ClusterCommand {
  readonly index: number
  readonly term: number
  readonly atTicks: Ticks
  readonly kind: string
}

export interface ClusterLogWire extends Omit<ClusterLog, 'commands'> {
  readonly commands: readonly ClusterCommand[]
}

const time = (text: string | null): Ticks | null => {
  const at = text === null ? Number.NaN : parseTicks(text)
  return Number.isNaN(at) ? null : (at as Ticks)
}

/** `AddDatabaseCommand` → `AddDatabase`; `Noop for A in term 3` → `Noop`, so that each term is no kind of its own. */
const kindOf = (type: string): string => type.replace(/ for .* in term \d+$/, '').replace(/Command$/, '')

/** `/admin/cluster/log` of 7.1.5, 6.2.4 and 5.4.207, which are alike. Errors: `ParseError`. */
export function readClusterLog(response: unknown): ClusterLogWire {
  const body = asObject(response, '$')
  const metadata = asObject(body['@metadata'], '$.@metadata')
  const log = asObject(body['Log'], '$.Log')
  const commands = asArray(log['Logs'], '$.Log.Logs').flatMap((value, i): ClusterCommand[] => {
    const path = `$.Log.Logs[${i}]`
    const entry = asObject(value, path)
    const atTicks = time(orNull(asString, entry['CreateAt'], `${path}.CreateAt`))
    return atTicks === null
      ? []
      : [
          {
            index: asNumber(entry['Index'], `${path}.Index`),
            term: asNumber(entry['Term'], `${path}.Term`),
            atTicks,
            kind: kindOf(orNull(asString, entry['CommandType'], `${path}.CommandType`) ?? 'unknown'),
          },
        ]
  })
  return {
    commands,
    node: asString(metadata['NodeTag'], '$.@metadata.NodeTag'),
    role: asString(body['Role'], '$.Role'),
    term: asNumber(body['Term'], '$.Term'),
    sinceTicks: time(orNull(asString, body['Since'], '$.Since')),
    commitIndex: asNumber(log['CommitIndex'], '$.Log.CommitIndex'),
    nowTicks: parseTicks(asString(metadata['DateTime'], '$.@metadata.DateTime')),
    criticalError: criticalText(log['CriticalError']),
  }
}

/** An alert object or null; its message is what a user needs. */
function criticalText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  const { Message: message } = asObject(value, '$.Log.CriticalError')
  return typeof message === 'string' ? message : 'The server reported a critical error without a message.'
}
