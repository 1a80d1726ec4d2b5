/**
 * The reason that most items of a menu share, shown once at its head, such as view only or rights that are still
 * loading. Null: an item can be chosen, so that a head would be wrong, or no two items share a reason.
 */
export function sharedRefusal(refusals: readonly (string | null)[]): string | null {
  const counts = new Map<string, number>()
  for (const refusal of refusals) {
    if (refusal === null) return null
    counts.set(refusal, (counts.get(refusal) ?? 0) + 1)
  }
  const [most] = [...counts].toSorted((a, b) => b[1] - a[1])
  return most !== undefined && most[1] > 1 ? most[0] : null
}
