import type { ArchiveRecord, SettingRecord } from '../capture/archive/records.ts'
import { sourceId } from '../capture/client/state.ts'
import type { DatabaseSettings, ServerSetting } from '../feeds/server/contract.ts'

/** Prefix of the key of a database setting: `db:shop ` in `db:shop Indexing.MapBatchSize`; names have no spaces. */
const placeOf = (key: string): string => key.slice(0, key.lastIndexOf(' ') + 1)

/** Takes the own settings of a server's databases, each prefixed with the id of its database. */
export class DatabaseSettingsTap {
  readonly #taps = new Map<string, SettingsTap>()

  /** Takes a record of an earlier recording. False: it is not a setting of a database. */
  meet(record: Pick<SettingRecord, 'key' | 'value'>): boolean {
    const place = placeOf(record.key)
    if (place === '') return false
    this.#tapOf(place).meet(record)
    return true
  }

  /** Takes the settings of the databases that could be read; the others keep what is known of them. */
  take(databases: readonly DatabaseSettings[], atTicks: number, take: Take): void {
    for (const { database, settings } of databases) {
      const place = `${sourceId({ kind: 'database', name: database })} `
      const placed = settings.map(({ key, value }) => ({ key: place + key, value }))
      this.#tapOf(place).take(placed, atTicks, take)
    }
  }

  /** Returns records that start the next journal. */
  *seeds(): Generator<ArchiveRecord> {
    for (const tap of this.#taps.values()) yield* tap.seeds()
  }

  #tapOf(place: string): SettingsTap {
    const tap = this.#taps.get(place) ?? new SettingsTap(place)
    this.#taps.set(place, tap)
    return tap
  }
}

type Take = (record: ArchiveRecord) => void

/** Takes the settings of a server that are not at their default: all of them at first, then only changes. */
export class SettingsTap {
  readonly #known = new Map<string, string>()
  readonly #place: string
  #isFirst = true

  /** `place`: prefix of the keys. */
  constructor(place = '') {
    this.#place = place
  }

  /** Takes a record of an earlier recording. */
  meet({ key, value }: Pick<SettingRecord, 'key' | 'value'>): void {
    this.#isFirst = false
    if (value === null) this.#known.delete(key)
    else this.#known.set(key, value)
  }

  take(settings: readonly ServerSetting[], atTicks: number, take: Take): void {
    const now = new Map(settings.map(({ key, value }) => [key, value]))
    const kind = this.#isFirst ? 'found' : 'changed'
    if (this.#isFirst) take(this.#mark)
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

  /** Returns records that start the next journal. */
  *seeds(): Generator<ArchiveRecord> {
    if (!this.#isFirst) yield this.#mark
    for (const [key, value] of this.#known)
      yield { t: 'setting', seed: 1, key, atTicks: 0, kind: 'found', value, before: null }
  }

  /** Record that the settings were read, also where none was at another value than its default. It is no row. */
  get #mark(): SettingRecord {
    return { t: 'setting', seed: 1, key: this.#place, atTicks: 0, kind: 'found', value: null, before: null }
  }
}
