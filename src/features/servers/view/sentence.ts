import { formatCount, formatDuration, formatPlural } from '../../../base/text/format.ts'
import { spanFromMs } from '../../../base/ticks.ts'
import type { Tone } from '../../../ui/Badge.tsx'
import type { ServerFinding, ServerFindings, ServerRow } from '../contract.ts'

export interface Found {
  readonly finding: ServerFinding
  readonly server: Pick<ServerRow, 'path' | 'url'>
}

/** Whether nothing was found, but some checks, besides those that only run on request, have no result yet. */
const isOpen = ({ critical, warning, isWhole }: ServerFindings): boolean => critical + warning === 0 && !isWhole

const isClear = ({ critical, warning, isWhole }: ServerFindings): boolean => critical + warning === 0 && isWhole

/**
 * Duration, ms, from which a response counts as slow and is mentioned. The request reads the version, which costs a
 * server nothing.
 */
const SLOW_MS = 1000

interface StateCell {
  readonly tone: Tone
  readonly words: string
  readonly note: string | null
}

/** Text for the state of a server in a table cell. `at`: a time, ms since 1970, as words; null: unknown. */
export function stateCell(row: ServerRow, at: (ms: number | null) => string): StateCell {
  const { state, why, sinceMs, answeredMs, tookMs, waitingMs, replacedMs, version, withheld, figures } = row
  const waits = waitingMs === null || waitingMs < SLOW_MS ? null : `${formatCount(Math.floor(waitingMs / 1000))} s`
  if (state === 'silent') {
    const last = answeredMs === null ? 'It has not answered before.' : `Last answer: ${at(answeredMs)}.`
    return { tone: 'error', words: `does not answer since ${at(sinceMs)}`, note: `${why} ${last}` }
  }
  if (state === 'unknown')
    return { tone: 'busy', words: waits === null ? 'connecting' : `connecting for ${waits}`, note: null }
  const note =
    replacedMs === null ? null : `Another server than before answers here since ${at(replacedMs)}: its id changed.`
  if (waits !== null) return { tone: 'warn', words: `no answer for ${waits}`, note }
  if (version === null) return { tone: 'warn', words: 'wants a two-factor code', note }
  if (tookMs !== null && tookMs >= SLOW_MS)
    return { tone: 'warn', words: `answers slowly, after ${formatDuration(spanFromMs(tookMs))}`, note }
  if (replacedMs !== null) return { tone: 'warn', words: 'another server', note }
  if (withheld !== null)
    return { tone: 'warn', words: 'answers without figures', note: `Only its version is known. ${withheld}` }
  return { tone: figures?.cpu == null ? 'busy' : 'ok', words: 'answers', note }
}

/**
 * Text for the findings of a server in a table cell. `ok` requires that the server was judged, has no findings and has
 * a free core: high load is not a fault, but the server is not healthy either.
 */
export function findingsCell({ findings, isSaturated, figures }: ServerRow): {
  readonly tone: Tone
  readonly words: string
  readonly note: string | null
} | null {
  if (findings === null) return null
  const { critical, warning, judged, all, isWhole, found, noted } = findings
  if (critical + warning > 0) {
    const counts = [
      critical === 0 ? '' : `${formatCount(critical)} critical`,
      warning === 0 ? '' : formatPlural(warning, 'warning'),
    ]
    return {
      tone: critical > 0 ? 'error' : 'warn',
      words: counts.filter((text) => text !== '').join(', '),
      note: found[0]?.title ?? null,
    }
  }
  if (!isWhole)
    return { tone: 'busy', words: `checking: ${formatCount(judged)} of ${formatCount(all)}`, note: noted[0] ?? null }
  const by = `by ${formatCount(judged)} of ${formatCount(all)} checks`
  if (isSaturated) {
    const percent = figures?.cpu?.machinePercent ?? null
    const note = percent === null ? null : `CPU at ${formatCount(Math.round(percent))} % now.`
    return { tone: 'warn', words: `none ${by}, but CPU saturated`, note }
  }
  const [first] = noted
  if (first === undefined) return { tone: 'ok', words: `none ${by}`, note: null }
  const more = noted.length === 1 ? '' : ` ${formatPlural(noted.length - 1, 'more', 'more')}.`
  return { tone: 'idle', words: `none ${by}`, note: `For information: ${first}${more}` }
}

/**
 * Summary such as `3 servers: 1 does not answer, 1 has critical findings.` A server counts as healthy only if it was
 * judged.
 */
export function describeServers(rows: readonly ServerRow[]): string {
  const count = (is: (row: ServerRow) => boolean): number => rows.filter(is).length
  const away = count(({ state }) => state === 'silent')
  const replaced = count(({ state, replacedMs }) => state !== 'silent' && replacedMs !== null)
  const critical = count(({ findings }) => (findings?.critical ?? 0) > 0)
  const warned = count(({ findings }) => findings?.critical === 0 && findings.warning > 0)
  const withheld = count(({ state, withheld: why }) => state !== 'silent' && why !== null)
  const unknown = count(
    ({ state, findings, withheld: why }) =>
      state !== 'silent' && why === null && (findings === null || isOpen(findings)),
  )
  const saturated = count(({ isSaturated, findings }) => isSaturated && findings !== null && isClear(findings))
  const parts = [
    [away, 'does not answer', 'do not answer'],
    [replaced, 'is another server than before', 'are other servers than before'],
    [critical, 'has critical findings', 'have critical findings'],
    [warned, 'has warnings', 'have warnings'],
    [saturated, 'has a saturated CPU', 'have a saturated CPU'],
    [withheld, 'gives no figures', 'give no figures'],
    [unknown, 'is not judged yet', 'are not judged yet'],
  ] as const
  const words = parts.flatMap(([n, one, many]) => (n === 0 ? [] : [`${formatCount(n)} ${n === 1 ? one : many}`]))
  return `${formatPlural(rows.length, 'server')}: ${words.length === 0 ? 'no findings' : words.join(', ')}.`
}

const RANK = { critical: 0, warning: 1, info: 2 }

/** Findings of all servers: critical ones first, then in the order of the servers. */
export const findingsOfAll = (rows: readonly ServerRow[]): readonly Found[] =>
  rows
    .flatMap(({ path, url, findings }) =>
      (findings?.found ?? []).map((finding) => ({ finding, server: { path, url } })),
    )
    .toSorted((a, b) => RANK[a.finding.level] - RANK[b.finding.level])
