import type { ServerInput } from './model-inputs.ts'
import type { WidgetType } from './wire/widgets.ts'

/**
 * Maximum length of a frame that is kept for other tabs. Longer frames, of servers with thousands of databases, are not
 * kept: a new tab waits for the next one.
 */
const MOST_CHARACTERS = 200_000
const MOST_NOTIFICATIONS = 500
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

  /** Memory of the kept texts, at two bytes per character; other inputs are small and not counted. */
  get byteLength(): number {
    let bytes = 0
    for (const input of [...this.#inputs.values(), ...this.#notifications])
      if (input.kind === 'frame' || input.kind === 'notification') bytes += input.text.length * 2
    return bytes
  }

  #set(key: string, input: ServerInput): void {
    this.#inputs.set(key, input)
  }
}

const keyOf = (input: ServerInput): string =>
  input.kind === 'response' ? input.poll : 'database' in input ? `${input.kind}|${input.database}` : input.kind
