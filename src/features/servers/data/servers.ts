import { SERVERS_PATH, serverPathOf, type ListedServer } from '../../../base/http/stand-alone.mjs'
import { asArray, asNumber, asObject, asString, orNull } from '../../../base/json/check.ts'
import { WANTED_MS } from '../../../capture/client/requests/wanted.ts'
import type { LaterPart } from '../../../capture/worker/feed.ts'
import type { Handlers } from '../../../capture/worker/handlers.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import type { GovernorEnv, TimerId } from '../../../ravendb/env.ts'
import { RavenError } from '../../../ravendb/errors/errors.ts'
import { SATURATED_CPU_PERCENT } from '../../../ravendb/limits.ts'
import type { ServerFigures, ServerFindings, ServerRow, ServersRequests, ServerTriage } from '../contract.ts'

/** A server that is watched in addition to that of the page. */
export interface WatchedServer {
  readonly figures: () => ServerFigures
  readonly setHidden: (isHidden: boolean) => void
  /** Ends every request, socket and timer. */
  readonly close: () => void
}

export interface ServersHost {
  /** Environment for a server at an address below the origin of the page. */
  readonly envOf: (url: string) => GovernorEnv
  /** Watches the vital signs of a server, within the overhead limits of this page. */
  readonly watch: (env: GovernorEnv, page: Governor) => WatchedServer
}

/** Maximum number of servers whose watch begins with one request: each starts with a dozen requests of its own. */
const MOST_AT_ONCE = 5
const ANSWER_MS = 10_000

export const serversResponses = (host: ServersHost): LaterPart => {
  const servers = new Servers(host)
  return {
    responses: {
      'servers.list': (_, governor, signal) => servers.list(governor, signal),
      'servers.names': async (_, { env }, signal) => (await serversBeside(env, signal))?.listed ?? [],
    } satisfies Handlers<keyof ServersRequests>,
  }
}

/** The other servers besides that of the page. Those that respond are watched while they are requested. */
class Servers {
  readonly #host: ServersHost
  readonly #watched = new Map<string, WatchedServer>()
  #timer: TimerId | null = null
  #stopHidden: (() => void) | null = null

  constructor(host: ServersHost) {
    this.#host = host
  }

  async list(governor: Governor, signal: AbortSignal): Promise<readonly ServerRow[]> {
    const beside = await serversBeside(governor.env, signal)
    if (beside === null) return []
    const { own, origin, listed } = beside
    this.#want(governor)
    this.#watch(listed, origin, governor)
    return listed.map((server) => rowOf(server, own, this.#watched.get(server.path)?.figures() ?? null)).toSorted(worse)
  }

  #watch(listed: readonly ListedServer[], origin: string, governor: Governor): void {
    const answering = listed.filter(({ state }) => state === 'answers').map(({ path }) => path)
    for (const path of this.#watched.keys()) if (!answering.includes(path)) this.#close(path)
    for (const path of answering.filter((each) => !this.#watched.has(each)).slice(0, MOST_AT_ONCE))
      this.#watched.set(path, this.#host.watch(this.#host.envOf(origin + path), governor))
  }

  #want(governor: Governor): void {
    const { env } = governor
    this.#stopHidden ??= governor.onHidden((isHidden) => {
      for (const server of this.#watched.values()) server.setHidden(isHidden)
    })
    if (this.#timer !== null) env.clearTimeout(this.#timer)
    this.#timer = env.setTimeout(() => this.#end(), WANTED_MS)
  }

  #close(path: string): void {
    this.#watched.get(path)?.close()
    this.#watched.delete(path)
  }

  #end(): void {
    this.#timer = null
    this.#stopHidden?.()
    this.#stopHidden = null
    for (const path of this.#watched.keys()) this.#close(path)
  }
}

interface Beside {
  /** Path of the server of the page. */
  readonly own: string
  readonly origin: string
  readonly listed: readonly ListedServer[]
}

/** All servers of the stand-alone server; null: it has only one, or the page is embedded. Errors: `RavenError`. */
async function serversBeside(env: GovernorEnv, signal: AbortSignal): Promise<Beside | null> {
  const own = serverPathOf(new URL(env.baseUrl).pathname)
  if (own === '') return null
  const origin = env.baseUrl.slice(0, -own.length)
  return { own, origin, listed: readList(await fetchList(env, origin + SERVERS_PATH, signal)) }
}

/** Requests the list directly from the stand-alone server: no RavenDB server is involved. Errors: `RavenError`. */
async function fetchList(env: GovernorEnv, url: string, signal: AbortSignal): Promise<unknown> {
  const ended = new AbortController()
  const stop = (): void => ended.abort()
  signal.addEventListener('abort', stop)
  const timer = env.setTimeout(stop, ANSWER_MS)
  try {
    const response = await env.fetch(url, { cache: 'no-store', credentials: 'same-origin', signal: ended.signal })
    if (!response.ok) throw new Error(`HTTP ${String(response.status)}`)
    return await response.json()
  } catch (cause) {
    const message = 'The stand-alone server did not report its servers: it ended, or another one has its address.'
    throw new RavenError({ kind: signal.aborted ? 'aborted' : 'network', endpoint: SERVERS_PATH, message, cause })
  } finally {
    env.clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

const readList = (response: unknown): readonly ListedServer[] =>
  asArray(asObject(response, '$')['Servers'], '$.Servers').map((each, i) => {
    const at = `$.Servers[${String(i)}]`
    const server = asObject(each, at)
    const state = asString(server['state'], at)
    return {
      path: asString(server['path'], at),
      url: asString(server['url'], at),
      version: orNull(asString, server['version'], at),
      state: state === 'answers' || state === 'silent' ? state : 'unknown',
      why: asString(server['why'], at),
      sinceMs: orNull(asNumber, server['sinceMs'], at),
      answeredMs: orNull(asNumber, server['answeredMs'], at),
      tookMs: orNull(asNumber, server['tookMs'], at),
      waitingMs: orNull(asNumber, server['waitingMs'], at),
      replacedMs: orNull(asNumber, server['replacedMs'], at),
    }
  })

/** Triage rule that finds the CPU saturated over two minutes. */
const CPU_BUSY = 'cpu-busy'

export function rowOf(listed: ListedServer, own: string, figures: ServerFigures | null): ServerRow {
  const now = figures?.now ?? null
  const [volume] = (now?.volumes ?? []).toSorted((a, b) => a.freeBytes / a.totalBytes - b.freeBytes / b.totalBytes)
  return {
    ...listed,
    isOwn: listed.path === own,
    figures: now === null ? null : { cpu: now.cpu, memory: now.memory, traffic: now.traffic, databases: now.databases },
    withheld: now?.watch.withheld ?? null,
    nodeTag: now?.server.nodeTag ?? null,
    lastHour: figures?.lastHour ?? null,
    disk:
      volume === undefined ? null : { mount: volume.mount, freeBytes: volume.freeBytes, totalBytes: volume.totalBytes },
    isSaturated:
      Math.max(now?.cpu?.machinePercent ?? 0, now?.cpu?.processPercent ?? 0) >= SATURATED_CPU_PERCENT ||
      (figures !== null && allOf(figures.triage).some(({ rule }) => rule === CPU_BUSY)),
    findings: now?.cpu == null || figures === null ? null : findingsOf(figures.triage),
  }
}

const allOf = ({ items, more }: Pick<ServerTriage, 'items' | 'more'>) => [...items, ...more]

function findingsOf(triage: ServerTriage): ServerFindings {
  const { rules, unknown, checking, hasFigures } = triage
  const all = allOf(triage)
  const found = all.filter(({ level }) => level !== 'info')
  const critical = found.filter(({ level }) => level === 'critical').length
  const isOpen = new Set(unknown.filter(({ isPartly, isSampled }) => !isPartly && !isSampled).map(({ rule }) => rule))
  return {
    critical,
    warning: found.length - critical,
    found,
    noted: all.filter(({ level }) => level === 'info').map(({ title }) => title),
    judged: rules.length - isOpen.size,
    all: rules.length,
    isWhole: hasFigures && checking === null,
  }
}

/**
 * Sort order: first servers that do not respond, then others than before, then those with critical findings, those
 * without figures, those with warnings, those without a free core, then by address.
 */
export function worse(a: ServerRow, b: ServerRow): number {
  const isAway = ({ state }: ServerRow): number => Number(state === 'silent')
  const count = ({ findings }: ServerRow, level: 'critical' | 'warning'): number => findings?.[level] ?? 0
  return (
    isAway(b) - isAway(a) ||
    Number(b.replacedMs !== null) - Number(a.replacedMs !== null) ||
    count(b, 'critical') - count(a, 'critical') ||
    Number(b.withheld !== null) - Number(a.withheld !== null) ||
    count(b, 'warning') - count(a, 'warning') ||
    Number(b.isSaturated) - Number(a.isSaturated) ||
    a.path.localeCompare(b.path)
  )
}
