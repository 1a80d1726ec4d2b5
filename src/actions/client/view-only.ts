import type { CaptureClient } from '../../capture/client/client.ts'
import { readStored, watchStored, writeStored } from '../../ui/storage.ts'
import type { ViewOnly } from '../contract.ts'

const KEY = 'viewOnly'

/**
 * Whether changes may leave this browser. The worker allows none until this page says so; the stand-alone
 * server may forbid them, whatever the user wants.
 */
export class ViewOnlyMode {
  readonly #client: CaptureClient
  readonly #listeners = new Set<() => void>()
  /** Null: the worker has not answered yet. */
  #now: ViewOnly | null = null
  /** Of which worker that is: a new one allows nothing. */
  #lives = 0
  #isAsking = false

  constructor(client: CaptureClient) {
    this.#client = client
    watchStored(KEY, () => void this.apply())
    client.subscribe(() => {
      if (!this.#isAsking && this.#now !== null && this.#lives !== client.getState().worker.lives) void this.apply()
    })
  }

  readonly getSnapshot = (): ViewOnly | null => this.#now

  readonly subscribe = (changed: () => void): (() => void) => {
    this.#listeners.add(changed)
    return () => this.#listeners.delete(changed)
  }

  async set(isOn: boolean): Promise<void> {
    writeStored(KEY, isOn ? 'on' : '')
    await this.apply()
  }

  /** Passes on to the worker what the user wants. A worker that does not answer allows nothing. */
  readonly apply = async (): Promise<void> => {
    const { lives } = this.#client.getState().worker
    this.#lives = lives
    this.#isAsking = true
    try {
      this.#now = await this.#client.request('actions.viewOnly', { isOn: readStored(KEY) === 'on' })
    } catch {
      this.#now = { isOn: true, isForced: false }
    } finally {
      this.#isAsking = false
    }
    for (const changed of this.#listeners) changed()
  }
}
