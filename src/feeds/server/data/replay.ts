import type { ServerInput } from './model-inputs.ts'
import type { WidgetType } from './wire/widgets.ts'

/** A frame as large as a server with thousands of databases sends is not kept for other tabs: they wait for the next. */
const MOST_CHARACTERS = 200_000
const MOST_NOTIFICATIONS = 500
/** The beginning of a frame, with the id of its operation. */
const OPERATION = /^\s*\{\s*"Id":\s*"OperationChanged\/\d+"/

/** The newest of each kind of input, oldest first: what a tab that joins has to know at once. */
export class Replay {
  readonly #inputs = new Map<string, ServerInput>()
  #notifications: ServerInput[] = []

  keep(input: ServerInput, type: WidgetType | 'ServerTime' | null): void {
    if (input.kind === 'notifications-restarted') this.#notifications = []
    else if (input.kind === 'notification') {
      // An operation reports each step: only the newest counts, and its many steps push out no alert.
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

  /** Two bytes a character; what is not text is small. */
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
  input.kind === 'response' ? input.poll : input.kind === 'failing' ? `failing|${input.database}` : input.kind
