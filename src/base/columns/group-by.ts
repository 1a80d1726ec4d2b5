/** Groups items by key. Groups are in the order in which their keys first appear. O(n). */
export function groupBy<T, K = string>(items: readonly T[], key: (item: T) => K): [K, readonly [T, ...T[]]][] {
  const groups = new Map<K, [T, ...T[]]>()
  for (const item of items) {
    const name = key(item)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [item])
    else group.push(item)
  }
  return [...groups]
}
