import { Observed } from '../../base/observed.ts'
import type { CaptureClient } from '../../capture/client/client.ts'
import { readStored, watchStored, writeStored } from '../../ui/storage.ts'
import type { ViewOnly } from '../contract.ts'

const KEY = 'viewOnly'

/** Current view-only state, and whether it is stored. */
export interface ViewOnlyState extends ViewOnly {
  /** Whether the state outlasts the page; false: the browser has no space or no storage. */
  readonly isStored: boolean
}

/**
 * Whether this browser may send changes. The worker allows none until this page permits it; the stand-alone server may
 * forbid them, whatever the user chooses.
 */
export class ViewOnlyMode {
  readonly #client: CaptureClient
  /** State; null: the worker has not answered yet. */
  readonly #now = new Observed<ViewOnlyState | null>(null)
  /** Choice on this page; null: the stored one applies. */
  #unstored: boolean | null = null
  /** Number of the worker that has the state: a new worker allows nothing. */
  #lives = 0
  #isRequesting = false

  constructor(client: CaptureClient) {
    this.#client = client
    watchStored(KEY, () => {
      // If the whole storage was cleared, the lock stays as it is.
      this.#unstored = readStored(KEY) === null ? (this.#now.get()?.isOn ?? null) : null
      void this.apply()
    })
    client.subscribe(() => {
      if (!this.#isRequesting && this.getSnapshot() !== null && this.#lives !== client.getState().worker.lives)
        void this.apply()
    })
  }

  readonly getSnapshot = this.#now.get
  readonly subscribe = this.#now.subscribe

  async set(isOn: boolean): Promise<void> {
    this.#unstored = writeStored(KEY, isOn ? 'on' : '') ? null : isOn
    await this.apply()
  }

  /** Sends the user's choice to the worker. A worker that does not answer allows nothing. */
  readonly apply = async (): Promise<void> => {
    const { lives } = this.#client.getState().worker
    this.#lives = lives
    this.#isRequesting = true
    const isOn = this.#unstored ?? readStored(KEY) === 'on'
    const now = await this.#client
      .request('actions.viewOnly', { isOn })
      .catch((): ViewOnly => ({ isOn: true, isForced: false }))
    this.#isRequesting = false
    this.#now.set({ ...now, isStored: this.#unstored === null })
  }
}
