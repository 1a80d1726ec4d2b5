import type { ArchiveRecord, SettingRecord } from '../capture/archive/records.ts'
import { sourceId } from '../capture/client/state.ts'
import type { DatabaseSettings, ServerSetting } from '../feeds/server/contract.ts'

/** Marks the settings of a database: `db:shop Indexing.MapBatchSize`. Neither names nor keys have spaces. */
const placeOf = (key: string): string => key.slice(0, key.lastIndexOf(' ') + 1)

/** Own settings of the databases of a server, each with the name of its database in front. */
export class DatabaseSettingsTap {
  readonly #taps = new Map<string, SettingsTap>()

  /** True: the record of before is one of a database. */
  meet(record: Pick<SettingRecord, 'key' | 'value'>): boolean {
    const place = placeOf(record.key)
    if (place === '') return false
    this.#tapOf(place).meet(record)
    return true
  }

  /** Databases that could not be read are not among them, and keep what is known of them. */
  take(databases: readonly DatabaseSettings[], atTicks: number, take: Take): void {
    for (const { database, settings } of databases) {
      const place = `${sourceId({ kind: 'database', name: database })} `
      const placed = settings.map(({ key, value }) => ({ key: place + key, value }))
      this.#tapOf(place).take(placed, atTicks, take)
    }
  }

  /** As seeds of the next journal. */
  *seeds(): Generator<ArchiveRecord> {
    for (const tap of this.#taps.values()) yield* tap.seeds()
  }

  #tapOf(place: string): SettingsTap {
    const tap = this.#taps.get(place) ?? new SettingsTap()
    this.#taps.set(place, tap)
    return tap
  }
}

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
