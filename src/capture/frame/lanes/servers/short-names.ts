/**
 * Short names of servers: without the parts, separated by dots and colons, that all of them begin or end with.
 * `db1.example.com:8080`, `db2.example.com:8080` → `db1`, `db2`.
 */
export function shortNames(names: readonly string[]): ReadonlyMap<string, string> {
  const distinct = [...new Set(names)]
  const parts = distinct.map((name) => name.split(/(?<=[.:])|(?=[.:])/))
  const least = Math.min(...parts.map(({ length }) => length))
  if (distinct.length < 2) return new Map(distinct.map((name) => [name, name]))
  const isShared = (at: (of: readonly string[]) => string | undefined): boolean =>
    parts.every((of) => at(of) === at(parts[0] ?? []))
  let start = 0
  while (start < least - 1 && isShared((of) => of[start])) start++
  let end = 0
  while (end < least - 1 - start && isShared((of) => of.at(-1 - end))) end++
  return new Map(
    distinct.map((name, i) => [name, (parts[i] ?? []).slice(start, (parts[i] ?? []).length - end).join('')]),
  )
}
