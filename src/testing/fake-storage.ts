/** Stands in for `localStorage`, with as much room as wanted. */
export class FakeStorage {
  readonly items = new Map<string, string>()
  /** Characters; what would go beyond is refused. */
  room = Number.POSITIVE_INFINITY
  /** Characters written so far, and read. */
  written = 0
  readCharacters = 0

  get length(): number {
    return this.items.size
  }

  readonly key = (at: number): string | null => [...this.items.keys()][at] ?? null

  readonly getItem = (key: string): string | null => {
    const text = this.items.get(key) ?? null
    this.readCharacters += text?.length ?? 0
    return text
  }

  readonly setItem = (key: string, value: string): void => {
    let used = value.length
    for (const [other, text] of this.items) if (other !== key) used += text.length
    if (used > this.room) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    this.items.set(key, value)
    this.written += value.length
  }

  readonly removeItem = (key: string): void => void this.items.delete(key)
}
