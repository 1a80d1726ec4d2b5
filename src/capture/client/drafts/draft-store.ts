import { errorText } from '../../../base/text/error-text.ts'
import { Observed } from '../../../base/observed.ts'
import { DraftDatabase } from './draft-database.ts'
import { draftKey, keyOfCopy, placeKey, type Draft, type DraftPlace } from './draft.ts'
import { OwnCopies } from './own-copies.ts'

/** Maximum delay before typed text is stored, ms. */
const STORE_MS = 200

export interface Drafts {
  /** All drafts of this browser, newest first; null: loading. */
  readonly all: readonly Draft[] | null
  /** Why the browser does not store the last text, which then lasts as long as this page; null: it does. */
  readonly problem: string | null
  /** Increases each time the user chooses another draft of the same object, so that its editor restarts. */
  readonly chosen: number
}

/** A draft to store, or null to remove one. `isForced`: regardless of what is stored by then. */
interface Change {
  readonly draft: Draft | null
  readonly isForced: boolean
}

const random = (): string => crypto.getRandomValues(new Uint32Array(2)).join('')

/**
 * Drafts of all kinds, in IndexedDB: typed text survives a reload, a crash of page or browser, and the loss of the
 * server. Other pages of the browser see changes when they read again. A page replaces only texts that it has written
 * or that its editor started from; if another page has stored a text since, its own becomes a separate draft.
 */
export class DraftStore {
  readonly #drafts = new Observed<Drafts>({ all: null, problem: null, chosen: 0 })
  readonly #database = new DraftDatabase()
  readonly #waiting = new Map<string, Change>()
  readonly #own = new OwnCopies()
  readonly #page = random()
  #count = 0
  /** Stamps from which editors of this page started, by key. */
  readonly #held = new Map<string, string>()
  #timer: ReturnType<typeof setTimeout> | null = null
  #writing: Promise<void> = Promise.resolve()
  #isRead = false

  readonly subscribe = (changed: () => void): (() => void) => {
    if (!this.#isRead) void this.read()
    return this.#drafts.subscribe(changed)
  }
  readonly getSnapshot = (): Drafts => this.#drafts.get()

  /** Whether some text is only in the memory of this page. */
  get isAtRisk(): boolean {
    return this.getSnapshot().problem !== null && [...this.#waiting.values()].some(({ draft }) => draft !== null)
  }

  /** Reads what other pages have stored. Never rejects. */
  async read(): Promise<void> {
    this.#isRead = true
    try {
      await this.flush()
      const known = new Map((await this.#database.all()).map((draft) => [draftKey(draft), draft]))
      for (const [key, { draft }] of this.#waiting)
        if (draft === null) known.delete(key)
        else known.set(key, draft)
      this.#set([...known.values()])
    } catch (error) {
      this.#set(this.getSnapshot().all ?? [], wordsOf(error))
    }
  }

  /** Draft of the object that this page works on, or would start with; null: none. */
  of(place: DraftPlace): Draft | null {
    const key = placeKey(place)
    const all = this.#allOf(key)
    const copy = this.#own.of(key)
    return all.find((draft) => draft.copy === copy) ?? all.find((draft) => draft.copy === undefined) ?? all[0] ?? null
  }

  /** Drafts of the same object from other tabs. */
  others(place: DraftPlace): readonly Draft[] {
    return this.#allOf(placeKey(place)).filter((draft) => !this.#isKnown(draftKey(draft), draft.stamp ?? ''))
  }

  /** An editor starts from that draft, so its later texts may replace it. */
  hold(draft: Draft): void {
    this.#own.set(placeKey(draft), draft.copy)
    this.#held.set(draftKey(draft), draft.stamp ?? '')
  }

  /** Chooses one of several drafts for this page. */
  choose(draft: Draft): void {
    this.hold(draft)
    const { all, problem, chosen } = this.getSnapshot()
    this.#drafts.set({ all, problem, chosen: chosen + 1 })
  }

  /** Keeps the draft of the object as it is: text typed from now on becomes a separate draft. */
  leave(place: DraftPlace): void {
    this.#own.set(placeKey(place), random())
  }

  keep(draft: Draft): void {
    const { copy: _, ...rest } = draft
    const copy = this.#own.of(placeKey(draft))
    const stamp = `${this.#page} ${String(++this.#count)}`
    const kept: Draft = { ...rest, stamp, ...(copy === undefined ? {} : { copy }) }
    this.#change(draftKey(kept), { draft: kept, isForced: false })
  }

  /** Removes the draft of this page, which was saved or discarded. A draft that another page has typed since stays. */
  remove(place: DraftPlace): void {
    const key = placeKey(place)
    this.#change(keyOfCopy(key, this.#own.of(key)), { draft: null, isForced: false })
    this.#own.set(key, undefined)
  }

  /** Removes exactly that draft. */
  discard(draft: Draft): void {
    this.#change(draftKey(draft), { draft: null, isForced: true })
  }

  /**
   * Moves all drafts from one server key to another; editors restart. If there is a draft of the same object, both
   * stay, unless their texts are equal, as after an unfinished earlier move. Drafts are removed from the old key once
   * they are stored under the new one. Returns false if they could not be stored and are still under the old key. Never
   * rejects.
   */
  async adopt(from: string, to: string): Promise<boolean> {
    await this.read()
    const found = (this.getSnapshot().all ?? []).filter(({ server }) => server === from)
    if (found.length === 0) return true
    for (const draft of found) {
      const moved: Draft = { ...draft, server: to }
      const there = this.#allOf(placeKey(moved))
      if (there.some((other) => isSameText(other, draft))) continue
      if (there.length > 0) this.leave(moved)
      this.keep(moved)
    }
    await this.flush()
    const isStored = !this.isAtRisk
    if (isStored) for (const draft of found) this.discard(draft)
    const { all, problem, chosen } = this.getSnapshot()
    this.#drafts.set({ all, problem, chosen: chosen + 1 })
    return isStored
  }

  /** Stores pending changes at once, since the page may be closed. Never rejects. */
  flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#waiting.size > 0) this.#writing = this.#writing.then(() => this.#store())
    return this.#writing
  }

  /** Stores each draft separately, so that one that is too large does not prevent others. */
  async #store(): Promise<void> {
    let problem: string | null = null
    let isOfOthers = false
    // Removals first, since they free space.
    const changes = [...this.#waiting].toSorted(([, a], [, b]) => Number(a.draft !== null) - Number(b.draft !== null))
    for (const [key, change] of changes)
      try {
        const isKnown = (stamp: string): boolean => change.isForced || this.#isKnown(key, stamp)
        const outcome =
          change.draft === null
            ? await this.#database.delete(key, isKnown)
            : await this.#database.put(change.draft, isKnown)
        if (outcome === 'another') isOfOthers = true
        if (outcome === 'another' && change.draft !== null) this.#moveAside(key, change.draft)
        else if (this.#waiting.get(key) === change) this.#waiting.delete(key)
      } catch (error) {
        problem = wordsOf(error)
      }
    if (problem !== this.getSnapshot().problem) this.#set(this.getSnapshot().all ?? [], problem)
    // Not awaited, because it waits for this function.
    if (isOfOthers) void this.read()
  }

  /** Another page has a draft under that key: this page's becomes a separate one, stored by the next flush. */
  #moveAside(key: string, { kind, server, database, id }: Draft): void {
    const latest = this.#waiting.get(key)?.draft
    this.#waiting.delete(key)
    this.leave({ kind, server, database, id })
    this.#set((this.getSnapshot().all ?? []).filter((each) => draftKey(each) !== key))
    if (latest !== null && latest !== undefined) this.keep(latest)
  }

  #change(key: string, change: Change): void {
    this.#waiting.set(key, change)
    const others = (this.getSnapshot().all ?? []).filter((each) => draftKey(each) !== key)
    this.#set(change.draft === null ? others : [change.draft, ...others])
    this.#timer ??= setTimeout(() => void this.flush(), STORE_MS)
  }

  /** Whether this page has written that text, or its editor started from it. */
  #isKnown(key: string, stamp: string): boolean {
    return stamp === this.#held.get(key) || stamp.startsWith(`${this.#page} `)
  }

  #allOf(place: string): readonly Draft[] {
    return (this.getSnapshot().all ?? []).filter((draft) => placeKey(draft) === place)
  }

  #set(all: readonly Draft[], problem = this.getSnapshot().problem): void {
    const { chosen } = this.getSnapshot()
    this.#drafts.set({ all: all.toSorted((a, b) => b.changedMs - a.changedMs), problem, chosen })
  }
}

const isSameText = (a: Draft, b: Draft): boolean =>
  a.text === b.text && a.parameters === b.parameters && a.newId === b.newId

function wordsOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'QuotaExceededError')
    return 'The storage of this browser is full: discard drafts that you do not need.'
  return errorText(error)
}
