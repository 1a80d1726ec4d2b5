import { TabLeader, type TabsEnv } from '../../../ravendb/tabs/tabs.ts'
import type { ServerInput } from './model-inputs.ts'
import { Replay } from './replay.ts'
import type { WidgetType } from './wire/widgets.ts'

/** A part of the collecting that one page of the browser does for all that want it. */
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
      // Inputs from before another page joined say nothing about when that page was listening.
      replay: () => this.#replay.inputs.map((input) => ({ ...input, isPast: true })),
    })
  }

  end(): void {
    this.collector?.close()
    this.collector = null
    this.#leader?.leave()
    this.#leader = null
  }

  /** To the other pages, now and when they join. */
  pass(input: ServerInput, type: WidgetType | 'ServerTime' | null): void {
    this.#replay.keep(input, type)
    this.#leader?.broadcast(input)
  }

  /** Another server has this address: what other pages get from now on begins with this. Returns what was kept before. */
  restart(): readonly ServerInput[] {
    const before = this.#replay.inputs
    this.#replay = new Replay()
    return before
  }

  get byteLength(): number {
    return this.#replay.byteLength
  }
}
