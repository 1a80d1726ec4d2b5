import { formatCount, formatPlural } from '../../../base/text/format.ts'
import type { ServerRow } from '../contract.ts'

/** `3 servers: 1 does not answer, 1 has critical findings.` Nothing is called well that was not judged. */
export function describeServers(rows: readonly ServerRow[]): string {
  const count = (is: (row: ServerRow) => boolean): number => rows.filter(is).length
  const away = count(({ state }) => state === 'silent')
  const critical = count(({ findings }) => (findings?.critical ?? 0) > 0)
  const warned = count(({ findings }) => findings?.critical === 0 && findings.warning > 0)
  const unknown = count(({ state, findings }) => state !== 'silent' && findings === null)
  const parts = [
    [away, 'does not answer', 'do not answer'],
    [critical, 'has critical findings', 'have critical findings'],
    [warned, 'has warnings', 'have warnings'],
    [unknown, 'is not judged yet', 'are not judged yet'],
  ] as const
  const words = parts.flatMap(([n, one, many]) => (n === 0 ? [] : [`${formatCount(n)} ${n === 1 ? one : many}`]))
  return `${formatPlural(rows.length, 'server')}: ${words.length === 0 ? 'no findings' : words.join(', ')}.`
}
