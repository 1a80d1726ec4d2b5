import type { Bytes } from '../../base/brand.ts'
import type { Ticks } from '../../base/ticks.ts'
import type { Gap, GapReason, SourceId } from '../client/state.ts'

/** Maximum number of gaps; beyond it the oldest two of one source and reason are merged. */
const MOST_GAPS = 2000

export type NewGap = Omit<Gap, 'id' | 'isOpen'>

/** Gaps in the data. A gap that is still open ends "now". */
export class GapLog {
  /** Increases with each change, but not with the time of an open gap. */
  version = 0
  #gaps: Gap[] = []
  #open = new Set<number>()
  #nextId = 1

  add(gap: NewGap): number {
    const id = this.#nextId++
    this.#gaps.push({ ...gap, id })
    this.#fold()
    this.version++
    return id
  }

  /** Adds a gap of a file, which may be read twice. */
  addOnce(gap: NewGap): void {
    const names = Object.keys(gap) as (keyof NewGap)[]
    const isSame = (other: Gap): boolean =>
      other.startTicks === gap.startTicks && names.every((name) => other[name] === gap[name])
    if (!this.#gaps.some(isSame)) this.add(gap)
  }

  /** Opens a gap of the whole source, or of one lane, that lasts until `close` or `remove`. */
  open(source: SourceId, reason: GapReason, startTicks: Ticks, detail: string, lane: string | null = null): number {
    const id = this.add({
      source,
      lane,
      kind: null,
      reason,
      startTicks,
      endTicks: startTicks,
      missingCount: null,
      missingBytes: null,
      detail,
    })
    this.#open.add(id)
    return id
  }

  get(id: number): Gap | undefined {
    return this.#gaps.find((gap) => gap.id === id)
  }

  /** Closes a gap, with corrections. */
  close(id: number, parts: Partial<Pick<Gap, 'startTicks' | 'endTicks' | 'reason' | 'detail'>>): void {
    this.#open.delete(id)
    this.#gaps = this.#gaps.map((gap) => (gap.id === id ? { ...gap, ...parts } : gap))
    this.version++
  }

  /** Corrects an open gap, which stays open. */
  learn(id: number, parts: Pick<Gap, 'reason' | 'detail'>): void {
    this.#gaps = this.#gaps.map((gap) => (gap.id === id ? { ...gap, ...parts } : gap))
    this.version++
  }

  /** Removes a gap in which no data is missing after all. */
  remove(id: number): void {
    this.#open.delete(id)
    this.#gaps = this.#gaps.filter((gap) => gap.id !== id)
    this.version++
  }

  /** All gaps in order of appearance; open ones end at `nowTicks`. */
  snapshot(nowTicks: Ticks | null): Gap[] {
    return this.#gaps.map((gap) => {
      if (!this.#open.has(gap.id)) return gap
      return { ...gap, isOpen: true, endTicks: Math.max(gap.endTicks, nowTicks ?? gap.endTicks) as Ticks }
    })
  }

  get hasOpen(): boolean {
    return this.#open.size > 0
  }

  #fold(): void {
    if (this.#gaps.length <= MOST_GAPS) return
    for (let i = 0; i < this.#gaps.length; i++) {
      const first = this.#gaps[i] as Gap
      if (this.#open.has(first.id)) continue
      const second = this.#gaps.find(
        (gap, j) =>
          j > i &&
          !this.#open.has(gap.id) &&
          gap.source === first.source &&
          gap.reason === first.reason &&
          gap.lane === first.lane &&
          gap.kind === first.kind,
      )
      if (second === undefined) continue
      const joined: Gap = {
        ...first,
        startTicks: Math.min(first.startTicks, second.startTicks) as Ticks,
        endTicks: Math.max(first.endTicks, second.endTicks) as Ticks,
        missingCount: addUnknown(first.missingCount, second.missingCount),
        missingBytes: addUnknown(first.missingBytes, second.missingBytes) as Bytes | null,
        detail: `several gaps, joined to keep the list short; the first: ${first.detail}`,
      }
      this.#gaps = this.#gaps.filter((gap) => gap !== second).map((gap) => (gap === first ? joined : gap))
      return
    }
    this.#gaps = this.#gaps.slice(1)
  }
}

/** Adds counts; null if one of them is unknown. */
export const addUnknown = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : a + b
