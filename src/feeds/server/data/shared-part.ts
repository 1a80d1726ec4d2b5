import { TabLeader, type TabsEnv } from '../../../ravendb/tabs/tabs.ts'
import type { ServerInput } from './model-inputs.ts'
import { Replay } from './replay.ts'
import type { WidgetType } from './wire/widgets.ts'

/** Part of the collecting that one page of the browser does for all pages that need it. */
export class SharedPart<Collector extends { readonly close: () => void }> {
  readonly #name: string
  readonly #tabs: TabsEnv | null
  #leader: TabLeader<ServerInput> | null = null
  #replay = new Replay()
  /** Collector of this page; null: another page collects, or no page does. */
  collector: Collector | null = null

  constructor(name: string, tabs: TabsEnv | null) {
    this.#name = name
    this.#tabs = tabs
  }

  get isOn(): boolean {
    return this.collector !== null || this.#leader !== null
  }

  /** `lead`: this page collects from now on. `receive`: another page passes on what it collected. */
  begin(lead: () => Collector, receive: (input: ServerInput) => void): void {
    if (this.#tabs === null) {
      this.collector = lead()
      return
    }
    this.#leader = new TabLeader<ServerInput>(this.#tabs, this.#name, {
      lead: () => {
        this.collector = lead()
      },
      received: receive,
      // An input from before another page joined does not show that the other page was collecting then.
      replay: () => this.#replay.inputs.map((input) => ({ ...input, isPast: true })),
    })
  }

  end(): void {
    this.collector?.close()
    this.collector = null
    this.#leader?.leave()
    this.#leader = null
  }

  /** Sends an input to the other pages, and keeps it for pages that join later. */
  pass(input: ServerInput, type: WidgetType | 'ServerTime' | null): void {
    this.#replay.keep(input, type)
    this.#leader?.broadcast(input)
  }

  /** Called when another server is at this address: drops the inputs kept for other pages, and returns them. */
  restart(): readonly ServerInput[] {
    const before = this.#replay.inputs
    this.#replay = new Replay()
    return before
  }

  get byteLength(): number {
    return this.#replay.byteLength
  }
}
