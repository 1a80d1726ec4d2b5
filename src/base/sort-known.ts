/** Sorted copy. Rows without a value come last in both directions; equal rows keep their order. */
export function sortKnown<Row, Value>(
  rows: readonly Row[],
  valueOf: (row: Row) => Value | null | undefined,
  compare: (a: Value, b: Value) => number,
  descending: boolean,
): readonly Row[] {
  const sign = descending ? -1 : 1
  return rows.toSorted((a, b) => {
    const left = valueOf(a) ?? null
    const right = valueOf(b) ?? null
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return sign * compare(left, right)
  })
}
