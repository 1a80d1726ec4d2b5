/** Index of the first item whose key is at or above `key`; `items.length` when none is. Items ascend by key. */
export function bisectLeft<T>(items: ArrayLike<T>, key: number, keyOf: (item: T) => number): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (keyOf(items[middle] as T) < key) low = middle + 1
    else high = middle
  }
  return low
}

const itself = (value: number): number => value

/** Index of the first number at or above `key`; `values.length` when none is. Values ascend. */
export const bisectNumbers = (values: ArrayLike<number>, key: number): number => bisectLeft(values, key, itself)
