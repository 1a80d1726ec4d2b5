import { Observed } from '../../../base/observed.ts'
import { DraftDatabase } from './draft-database.ts'
import { draftKey, keyOfCopy, placeKey, type Draft, type DraftPlace } from './draft.ts'
import { OwnCopies } from './own-copies.ts'

/** Longest delay before typed text is stored, ms. */
const STORE_MS = 200

export interface Drafts {
  /** All of this browser, newest first; null: they are being read. */
  readonly all: readonly Draft[] | null
  /** Why the browser does not store what was typed last: that lasts as long as this page. Null: it stores all. */
  readonly problem: string | null
  /** How often the user has chosen another draft of the same thing: an editor begins again then. */
  readonly chosen: number
}

/** A draft to be kept, or null: one to be removed. `isForced`: whatever is kept by then. */
interface Change {
  readonly draft: Draft | null
  readonly isForced: boolean
}

const random = (): string => crypto.getRandomValues(new Uint32Array(2)).join('')

/**
 * Drafts of all kinds, in IndexedDB: what was typed is there after a reload, a crash of the page or the browser, and without a
 * server. Other pages of the browser see changes when they read again. A page replaces only what it has written or its editor
 * has begun from: where another page has typed meanwhile, its own text becomes a draft beside that one.
 */
export class DraftStore {
  readonly #drafts = new Observed<Drafts>({ all: null, problem: null, chosen: 0 })
  readonly #database = new DraftDatabase()
  readonly #waiting = new Map<string, Change>()
  readonly #own = new OwnCopies()
  readonly #page = random()
  #count = 0
  /** Stamps that editors of this page began from, by key. */
  readonly #held = new Map<string, string>()
  #timer: ReturnType<typeof setTimeout> | null = null
  #writing: Promise<void> = Promise.resolve()
  #isRead = false

  readonly subscribe = (changed: () => void): (() => void) => {
    if (!this.#isRead) void this.read()
    return this.#drafts.subscribe(changed)
  }
  readonly getSnapshot = (): Drafts => this.#drafts.get()

  /** Something is in the memory of this page only. */
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

  /** Draft of the thing that this page works on, or would begin with; null: there is none. */
  of(place: DraftPlace): Draft | null {
    const key = placeKey(place)
    const all = this.#allOf(key)
    const copy = this.#own.of(key)
    return all.find((draft) => draft.copy === copy) ?? all.find((draft) => draft.copy === undefined) ?? all[0] ?? null
  }

  /** Drafts of the same thing that were typed in other tabs. */
  others(place: DraftPlace): readonly Draft[] {
    return this.#allOf(placeKey(place)).filter((draft) => !this.#isKnown(draftKey(draft), draft.stamp ?? ''))
  }

  /** An editor begins from that draft: what it keeps later may replace it. */
  hold(draft: Draft): void {
    this.#own.set(placeKey(draft), draft.copy)
    this.#held.set(draftKey(draft), draft.stamp ?? '')
  }

  /** The page goes on with that draft of several. */
  choose(draft: Draft): void {
    this.hold(draft)
    const { all, problem, chosen } = this.getSnapshot()
    this.#drafts.set({ all, problem, chosen: chosen + 1 })
  }

  /** The draft of the thing stays as it is: what is typed from now on is a draft beside it. */
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

  /** Removes the draft of this page: it was saved or discarded. What another page has typed meanwhile stays. */
  remove(place: DraftPlace): void {
    const key = placeKey(place)
    this.#change(keyOfCopy(key, this.#own.of(key)), { draft: null, isForced: false })
    this.#own.set(key, undefined)
  }

  /** Removes that very draft. */
  discard(draft: Draft): void {
    this.#change(draftKey(draft), { draft: null, isForced: true })
  }

  /**
   * Drafts that were kept under one key of a server belong to another one from now on; editors begin again. Where there is a
   * draft of the same thing already, both stay, unless they have one text: an earlier move of it was not over. They are removed
   * from where they were once they are stored. False: they could not be, and are there still. Never rejects.
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

  /** Stores now what waits: the page may be closed. Never rejects. */
  flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#waiting.size > 0) this.#writing = this.#writing.then(() => this.#store())
    return this.#writing
  }

  /** Stores each draft by itself: a draft that is too large for the browser keeps no other from being stored. */
  async #store(): Promise<void> {
    let problem: string | null = null
    let isOfOthers = false
    // Removals first: they make place.
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
    // Without waiting for it: it waits for this.
    if (isOfOthers) void this.read()
  }

  /** Another page has a draft at that key: this page's becomes one beside it, and is stored by the next flush. */
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

  /** This page has written it, or its editor has begun from it. */
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
  return error instanceof Error ? error.message : String(error)
}
