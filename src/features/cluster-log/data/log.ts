import type { LaterPart } from '../../../capture/worker/feed.ts'
import type { Handlers } from '../../../capture/worker/handlers.ts'
import { asRavenError } from '../../../ravendb/errors/errors.ts'
import { ENDPOINTS } from '../../../ravendb/endpoints.ts'
import type { ClusterCommands, ClusterLog, ClusterLogRequests } from '../contract.ts'
import { readClusterLog, type ClusterCommand } from './wire.ts'

/** Maximum number of commands in the page; the server itself keeps far fewer. */
const MAX_COMMANDS = 5000

/** Responds with the log, which is read only while the panel requests it, and is kept when the server is gone. */
export function clusterLogResponses(): LaterPart {
  /** By index, ascending. The server truncates its log; commands that were seen are kept. */
  let seen: readonly ClusterCommand[] = []
  let last: Omit<ClusterLog, 'commands' | 'failure'> | null = null
  return {
    responses: {
      'clusterLog.read': async (_params, governor, signal) => {
        try {
          const response = await governor.json('clusterLog', {}, { signal, priority: 'poll' })
          const { commands, ...rest } = readClusterLog(response)
          seen = mergeCommands(seen, commands)
          last = rest
          return { ...last, commands: columnsOf(seen), failure: null }
        } catch (error) {
          if (signal.aborted || last === null) throw error
          // New columns: those of an earlier response were transferred with it.
          const failure = asRavenError(error, ENDPOINTS.clusterLog.route).toInfo()
          return { ...last, commands: columnsOf(seen), failure }
        }
      },
    } satisfies Handlers<keyof ClusterLogRequests>,
  }
}

/**
 * Commands seen so far, updated by the server's current ones. An entry that differs at an index replaces that one and
 * all above it: a new leader had overwritten them, or it is another server.
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
