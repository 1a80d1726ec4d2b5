const KEY = 'rookery.drafts.own'

/** Copies of drafts that this tab works on, by the key of the object. They last as long as the tab, over reloads. */
export class OwnCopies {
  readonly #copies = new Map<string, string>(stored())

  of(place: string): string | undefined {
    return this.#copies.get(place)
  }

  /** `copy` left out: the draft without a copy id. */
  set(place: string, copy: string | undefined): void {
    if (this.#copies.get(place) === copy) return
    if (copy === undefined) this.#copies.delete(place)
    else this.#copies.set(place, copy)
    try {
      globalThis.sessionStorage.setItem(KEY, JSON.stringify([...this.#copies]))
    } catch {
      // Without storage the copies last as long as the page.
    }
  }
}

function stored(): [string, string][] {
  try {
    const list: unknown = JSON.parse(globalThis.sessionStorage.getItem(KEY) ?? '[]')
    return Array.isArray(list) ? list.filter(isPair) : []
  } catch {
    return []
  }
}

const isPair = (item: unknown): item is [string, string] =>
  Array.isArray(item) && item.length === 2 && item.every((each) => typeof each === 'string')
