/** Index of the first of `length` items whose key is at or above `key`; `length` when none is. Items ascend by key. */
export function bisectLeft<T>(
  items: ArrayLike<T>,
  key: number,
  keyOf: (item: T) => number,
  length = items.length,
): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (keyOf(items[middle] as T) < key) low = middle + 1
    else high = middle
  }
  return low
}

/** Index of the first item whose key is above `key`; otherwise as `bisectLeft`. */
export function bisectAfter<T>(
  items: ArrayLike<T>,
  key: number,
  keyOf: (item: T) => number,
  length = items.length,
): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (keyOf(items[middle] as T) <= key) low = middle + 1
    else high = middle
  }
  return low
}

const itself = (value: number): number => value

/** Index of the first of `length` numbers at or above `key`; `length` when none is. Values ascend. */
export const bisectNumbers = (values: ArrayLike<number>, key: number, length = values.length): number =>
  bisectLeft(values, key, itself, length)

/** Index of the first number above `key`; otherwise as `bisectNumbers`. */
export const bisectRight = (values: ArrayLike<number>, key: number, length = values.length): number =>
  bisectAfter(values, key, itself, length)
