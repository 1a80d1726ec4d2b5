import type { ArchiveRecord, SettingRecord } from '../capture/archive/records.ts'
import type { ServerSetting } from '../feeds/server/contract.ts'

type Take = (record: ArchiveRecord) => void

/** Settings of a server that are not at their default: all of them at first, then what changed. */
export class SettingsTap {
  readonly #known = new Map<string, string>()
  #isFirst = true

  /** A record of before. */
  meet({ key, value }: Pick<SettingRecord, 'key' | 'value'>): void {
    this.#isFirst = false
    if (value === null) this.#known.delete(key)
    else this.#known.set(key, value)
  }

  take(settings: readonly ServerSetting[], atTicks: number, take: Take): void {
    const now = new Map(settings.map(({ key, value }) => [key, value]))
    const kind = this.#isFirst ? 'found' : 'changed'
    this.#isFirst = false
    for (const key of new Set([...this.#known.keys(), ...now.keys()])) {
      const value = now.get(key) ?? null
      const before = this.#known.get(key) ?? null
      if (value === before) continue
      if (value === null) this.#known.delete(key)
      else this.#known.set(key, value)
      take({ t: 'setting', key, atTicks, kind, value, before })
    }
  }

  /** As seeds of the next journal. */
  *seeds(): Generator<ArchiveRecord> {
    for (const [key, value] of this.#known)
      yield { t: 'setting', seed: 1, key, atTicks: 0, kind: 'found', value, before: null }
  }
}
