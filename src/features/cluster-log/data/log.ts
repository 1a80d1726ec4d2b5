import type { LaterPart } from '../../../capture/worker/feed.ts'
import type { Handlers } from '../../../capture/worker/handlers.ts'
import { asRavenError } from '../../../ravendb/errors/errors.ts'
import { ENDPOINTS } from '../../../ravendb/endpoints.ts'
import type { ClusterCommands, ClusterLog, ClusterLogRequests } from '../contract.ts'
import { readClusterLog, type ClusterCommand } from './wire.ts'

/** Older ones are dropped from the page; the server itself keeps far fewer. */
const MAX_COMMANDS = 5000

/** Responds with the log. It is read only while the panel requests it, and stays when the server is gone. */
export function clusterLogResponses(): LaterPart {
  /** By index, ascending. The server truncates its log; what was seen stays. */
  let seen: readonly ClusterCommand[] = []
  let last: ClusterLog | null = null
  return {
    responses: {
      'clusterLog.read': async (_params, governor, signal) => {
        try {
          const response = await governor.json('clusterLog', {}, { signal, priority: 'poll' })
          const { commands, ...rest } = readClusterLog(response)
          seen = mergeCommands(seen, commands)
          last = { ...rest, commands: columnsOf(seen), failure: null }
          return last
        } catch (error) {
          if (signal.aborted || last === null) throw error
          return { ...last, failure: asRavenError(error, ENDPOINTS.clusterLog.route).toInfo() }
        }
      },
    } satisfies Handlers<keyof ClusterLogRequests>,
  }
}

/**
 * Commands that were seen, renewed by what the server keeps now. An entry that differs at an index replaces the one seen there and all
 * above it: a new leader had overwritten them, or the server is another one.
 */
export function mergeCommands(
  seen: readonly ClusterCommand[],
  kept: readonly ClusterCommand[],
): readonly ClusterCommand[] {
  const now = kept.toSorted((a, b) => a.index - b.index)
  const [first] = now
  if (first === undefined) return seen
  const before = seen.filter(({ index }) => index < first.index)
  const isOther = seen.some(({ index, atTicks }) => index === first.index && atTicks !== first.atTicks)
  const isBehind = (before.at(-1)?.atTicks ?? Number.NEGATIVE_INFINITY) > first.atTicks
  return [...(isOther || isBehind ? [] : before), ...now].slice(-MAX_COMMANDS)
}

function columnsOf(commands: readonly ClusterCommand[]): ClusterCommands {
  const kinds = [...new Set(commands.map(({ kind }) => kind))].toSorted()
  return {
    length: commands.length,
    index: Float64Array.from(commands, ({ index }) => index),
    term: Float64Array.from(commands, ({ term }) => term),
    atTicks: Float64Array.from(commands, ({ atTicks }) => atTicks),
    kind: Uint16Array.from(commands, ({ kind }) => kinds.indexOf(kind)),
    kinds,
  }
}
