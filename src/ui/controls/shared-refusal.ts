/**
 * The reason that most entries of a menu give, to be said once at its head: view only, or rights that are being read. Null:
 * something can be chosen, so that a head would not be true of all, or no two have the same.
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
