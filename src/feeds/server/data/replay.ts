import { TICKS_PER_MS } from '../../../base/ticks.ts'
import { HOLDS_TICKS } from './figures/databases/work-store.ts'
import type { ServerInput } from './model-inputs.ts'
import type { WidgetType } from './wire/widgets.ts'

/**
 * Maximum length of a frame that is kept for other tabs. Longer frames, of servers with thousands of databases, are not
 * kept: a new tab waits for the next one.
 */
const MOST_CHARACTERS = 200_000
const MOST_NOTIFICATIONS = 500
const HOLDS_MS = HOLDS_TICKS / TICKS_PER_MS
/** Estimated memory of a database of the list, or of an index, a state or a time of a merger. */
const ROW_BYTES = 200
/** Beginning of a frame with the id of its operation. */
const OPERATION = /^\s*\{\s*"Id":\s*"OperationChanged\/\d+"/

/** Newest input of each kind, oldest first, for a tab that joins. */
export class Replay {
  readonly #inputs = new Map<string, ServerInput>()
  #notifications: ServerInput[] = []

  keep(input: ServerInput, type: WidgetType | 'ServerTime' | null): void {
    if (input.kind === 'notifications-restarted') this.#notifications = []
    else if (input.kind === 'notification') {
      // An operation reports each step. Keeping only the newest one prevents its steps from displacing alerts.
      const operation = OPERATION.exec(input.text)?.[0]
      if (operation !== undefined)
        this.#notifications = this.#notifications.filter(
          (each) => each.kind !== 'notification' || !each.text.startsWith(operation),
        )
      this.#notifications.push(input)
      if (this.#notifications.length > MOST_NOTIFICATIONS) this.#notifications.shift()
    } else if (input.kind !== 'frame') this.#set(keyOf(input), input)
    else if (type !== null && input.text.length <= MOST_CHARACTERS) this.#set(`${input.node ?? ''}|${type}`, input)
  }

  get inputs(): ServerInput[] {
    return [...this.#inputs.values(), ...this.#notifications].toSorted((a, b) => a.atMs - b.atMs)
  }

  /** Memory of the kept texts, at two bytes per character, and an estimate of that of databases and their indexes. */
  get byteLength(): number {
    let bytes = 0
    for (const input of [...this.#inputs.values(), ...this.#notifications]) bytes += bytesOf(input)
    return bytes
  }

  #set(key: string, input: ServerInput): void {
    // Oldest first.
    this.#inputs.delete(key)
    this.#inputs.set(key, input)
    if (input.kind === 'work') this.#dropOld(input.atMs)
    else if (input.kind === 'list') this.#dropDeleted(new Set(input.rows.map(({ name }) => name)))
  }

  #dropOld(nowMs: number): void {
    for (const [key, input] of this.#inputs)
      if (input.kind === 'work' && nowMs - input.atMs > HOLDS_MS) this.#inputs.delete(key)
  }

  /** Failing indexes have no maximum age: they are read again only after their errors change. */
  #dropDeleted(databases: ReadonlySet<string>): void {
    for (const [key, input] of this.#inputs)
      if (input.kind === 'failing' && !databases.has(input.database)) this.#inputs.delete(key)
  }
}

function bytesOf(input: ServerInput): number {
  if ('text' in input) return (input.text?.length ?? 0) * 2
  switch (input.kind) {
    case 'list':
      return input.rows.length * ROW_BYTES
    case 'failing':
      return (1 + input.indexes.length) * ROW_BYTES
    case 'work': {
      const { indexes, states, mergerTimes } = input.work
      return (1 + (indexes?.length ?? 0) + (states?.length ?? 0) + mergerTimes.length) * ROW_BYTES
    }
    default:
      return 0
  }
}

const keyOf = (input: ServerInput): string =>
  input.kind === 'response' ? input.poll : 'database' in input ? `${input.kind}|${input.database}` : input.kind
