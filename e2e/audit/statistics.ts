/** The value at a share of the sorted values by its rank, as one counts by hand; NaN when there are none. */
export function nearestRank(sorted: readonly number[], share: number): number {
  return sorted[Math.max(1, Math.ceil(share * sorted.length - 1e-9)) - 1] ?? Number.NaN
}

export const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
