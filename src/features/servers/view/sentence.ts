import { formatCount, formatPlural } from '../../../base/text/format.ts'
import type { ServerFinding, ServerFindings, ServerRow } from '../contract.ts'

export interface Found {
  readonly finding: ServerFinding
  readonly server: Pick<ServerRow, 'path' | 'url'>
}

/** Nothing was found, and some of what can be judged at once is not judged yet. */
const isOpen = ({ critical, warning, isWhole }: ServerFindings): boolean => critical + warning === 0 && !isWhole

/** `3 servers: 1 does not answer, 1 has critical findings.` Nothing is called well that was not judged. */
export function describeServers(rows: readonly ServerRow[]): string {
  const count = (is: (row: ServerRow) => boolean): number => rows.filter(is).length
  const away = count(({ state }) => state === 'silent')
  const critical = count(({ findings }) => (findings?.critical ?? 0) > 0)
  const warned = count(({ findings }) => findings?.critical === 0 && findings.warning > 0)
  const unknown = count(({ state, findings }) => state !== 'silent' && (findings === null || isOpen(findings)))
  const parts = [
    [away, 'does not answer', 'do not answer'],
    [critical, 'has critical findings', 'have critical findings'],
    [warned, 'has warnings', 'have warnings'],
    [unknown, 'is not judged yet', 'are not judged yet'],
  ] as const
  const words = parts.flatMap(([n, one, many]) => (n === 0 ? [] : [`${formatCount(n)} ${n === 1 ? one : many}`]))
  return `${formatPlural(rows.length, 'server')}: ${words.length === 0 ? 'no findings' : words.join(', ')}.`
}

const RANK = { critical: 0, warning: 1, info: 2 }

/** Findings of all servers: critical ones first, of one level in the order of the servers. */
export const findingsOfAll = (rows: readonly ServerRow[]): readonly Found[] =>
  rows
    .flatMap(({ path, url, findings }) =>
      (findings?.found ?? []).map((finding) => ({ finding, server: { path, url } })),
    )
    .toSorted((a, b) => RANK[a.finding.level] - RANK[b.finding.level])
