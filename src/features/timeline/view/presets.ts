import { formatLanes, parseLanes, type ChosenLane } from '../../../capture/frame/lanes/chosen.ts'
import { readStored, watchStored, writeStored } from '../../../ui/storage.ts'
import { Observed } from '../../../base/observed.ts'

/** A named list of lanes. */
export interface Preset {
  readonly name: string
  readonly lanes: readonly ChosenLane[]
}

const KEY = 'timeline.presets'
const FORMAT = 'rookery-timeline-presets'
const MOST = 50
const LONGEST_NAME = 60

export function formatPresets(presets: readonly Preset[]): string {
  const list = presets.map(({ name, lanes }) => ({ name, lanes: formatLanes(lanes, []) }))
  return JSON.stringify({ format: FORMAT, version: 1, presets: list }, null, 2)
}

/**
 * Parses presets; null: the text has another format. Presets with lanes that this build does not have are kept, because
 * another build may have them.
 */
export function parsePresets(text: string): readonly Preset[] | null {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    return null
  }
  if (!isRecord(read) || read['format'] !== FORMAT || !Array.isArray(read['presets'])) return null
  const found = new Map<string, Preset>()
  for (const each of read['presets'] as readonly unknown[]) {
    if (!isRecord(each) || typeof each['name'] !== 'string' || typeof each['lanes'] !== 'string') continue
    const name = cleanName(each['name'])
    const lanes = parseLanes(each['lanes'], [])
    if (name !== '' && lanes.length > 0 && found.size < MOST) found.set(name, { name, lanes })
  }
  return [...found.values()]
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

export const cleanName = (name: string): string => name.trim().slice(0, LONGEST_NAME)

const addedPresets = new EventTarget()

/**
 * Adds the presets of a text whose names are not in use, up to the maximum number. Does not replace or remove an
 * existing preset.
 */
export function addFreePresets(text: string): void {
  const store = new PresetStore()
  const own = store.presets.get()
  const names = new Set(own.map(({ name }) => name))
  const free = (parsePresets(text) ?? []).filter(({ name }) => !names.has(name))
  const added = free.slice(0, Math.max(0, MOST - own.length))
  if (added.length === 0) return
  store.put(added)
  addedPresets.dispatchEvent(new Event('added'))
}

/**
 * Presets that this browser keeps, in the order in which they were saved. If it cannot store them, they last as long as
 * the page.
 */
export class PresetStore {
  readonly presets = new Observed<readonly Preset[]>(readAll())

  /** Follows changes by other pages of this browser, and by opened captures. Returns a function that ends it. */
  follow(): () => void {
    const read = (): void => this.presets.set(readAll())
    addedPresets.addEventListener('added', read)
    const stop = watchStored(KEY, read)
    return () => {
      addedPresets.removeEventListener('added', read)
      stop()
    }
  }

  /** Adds presets; each replaces the preset of the same name. False: they are only kept in this page. */
  put(added: readonly Preset[]): boolean {
    const names = new Set(added.map(({ name }) => name))
    const others = this.presets.get().filter(({ name }) => !names.has(name))
    return this.#keep([...others, ...added].slice(-MOST))
  }

  remove(name: string): boolean {
    return this.#keep(this.presets.get().filter((each) => each.name !== name))
  }

  #keep(presets: readonly Preset[]): boolean {
    this.presets.set(presets)
    return writeStored(KEY, formatPresets(presets))
  }
}

const readAll = (): readonly Preset[] => parsePresets(readStored(KEY) ?? '') ?? []
