import { useSyncExternalStore } from 'react'

/** Time without input, ms, after which the user counts as away. */
export const AWAY_AFTER_MS = 600_000
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const
const LISTEN = { capture: true, passive: true } as const

/** Whether the tab is visible and had input in the last ten minutes. Opening it or returning to it counts as input. */
class Attention {
  readonly #listeners = new Set<() => void>()
  #inputMs = 0
  #isAttentive = true
  #timer: ReturnType<typeof setTimeout> | null = null

  readonly isAttentive = (): boolean => this.#isAttentive

  readonly subscribe = (changed: () => void): (() => void) => {
    this.#listeners.add(changed)
    if (this.#listeners.size === 1) this.#begin()
    return () => {
      this.#listeners.delete(changed)
      if (this.#listeners.size === 0) this.#end()
    }
  }

  #begin(): void {
    for (const type of INPUTS) document.addEventListener(type, this.#input, LISTEN)
    document.addEventListener('visibilitychange', this.#input)
    this.#input()
  }

  #end(): void {
    for (const type of INPUTS) document.removeEventListener(type, this.#input, LISTEN)
    document.removeEventListener('visibilitychange', this.#input)
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  readonly #input = (): void => {
    this.#inputMs = Date.now()
    this.#set(!document.hidden)
    if (this.#timer === null) this.#arm(AWAY_AFTER_MS)
  }

  /** Uses a single timer, restarted only when it fires, so that pointer moves cost nothing. */
  #arm(delayMs: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = null
      const leftMs = this.#inputMs + AWAY_AFTER_MS - Date.now()
      if (leftMs > 0) this.#arm(leftMs)
      else this.#set(false)
    }, delayMs)
  }

  #set(isAttentive: boolean): void {
    if (this.#isAttentive === isAttentive) return
    this.#isAttentive = isAttentive
    for (const changed of this.#listeners) changed()
  }
}

const attention = new Attention()

export const useAttention = (): boolean => useSyncExternalStore(attention.subscribe, attention.isAttentive)
