import { asObject } from '../../../base/json/check.ts'
import { Fields } from '../../../base/json/fields.ts'
import { parseTicks, type Ticks } from '../../../base/ticks.ts'
import type { ClusterLog } from '../contract.ts'

export interface ClusterCommand {
  readonly index: number
  readonly term: number
  readonly atTicks: Ticks
  readonly kind: string
}

export interface ClusterLogWire extends Omit<ClusterLog, 'commands' | 'failure'> {
  readonly commands: readonly ClusterCommand[]
}

/** `AddDatabaseCommand` → `AddDatabase`; `Noop for A in term 3` → `Noop`, one kind for all terms. */
const kindOf = (type: string): string => type.replace(/ for .* in term \d+$/, '').replace(/Command$/, '')

/** Parses `/admin/cluster/log` of 7.1.5, 6.2.4 and 5.4.207, which have the same form. Errors: `ParseError`. */
export function readClusterLog(response: unknown): ClusterLogWire {
  const body = new Fields(response)
  const metadata = body.in('@metadata')
  const log = body.in('Log')
  const commands = log.each('Logs').flatMap((entry): ClusterCommand[] => {
    const atTicks = entry.ticksOrNull('CreateAt')
    const kind = kindOf(entry.textOrNull('CommandType') ?? 'unknown')
    return atTicks === null ? [] : [{ index: entry.number('Index'), term: entry.number('Term'), atTicks, kind }]
  })
  return {
    commands,
    node: metadata.text('NodeTag'),
    role: body.text('Role'),
    term: body.number('Term'),
    sinceTicks: body.ticksOrNull('Since'),
    commitIndex: log.number('CommitIndex'),
    nowTicks: parseTicks(metadata.text('DateTime')),
    criticalError: criticalText(log.all['CriticalError']),
  }
}

/** Message of an alert object; null: no alert. */
function criticalText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  const { Message: message } = asObject(value, '$.Log.CriticalError')
  return typeof message === 'string' ? message : 'The server reported a critical error without a message.'
}
