/** Maximum number of operations in a response: more would be slow to render, and hardly readable. */
export const MOST_LISTED = 400

/**
 * Chooses the nodes of a forest to list if there are too many: the `most` largest ones and all their ancestors (1:
 * listed). Returns null if all are listed. Parents come before their children; −1: a root.
 */
export function largestNodes(
  sizes: ArrayLike<number>,
  parents: ArrayLike<number>,
  most = MOST_LISTED,
): Uint8Array | null {
  const { length } = sizes
  if (length <= most) return null
  const order = Uint32Array.from({ length }, (_, i) => i).toSorted(
    (a, b) => (sizes[b] as number) - (sizes[a] as number) || a - b,
  )
  const listed = new Uint8Array(length)
  for (const largest of order.subarray(0, most))
    for (let node = largest; node !== -1 && listed[node] === 0; node = parents[node] as number) listed[node] = 1
  return listed
}
