import { expect } from '@playwright/test'
import type { Driver } from './driver.ts'

const CONTROL = '\uE009'
const ENTER = '\uE007'

/** A point in the window, px. */
interface Place {
  readonly x: number
  readonly y: number
}

/** A point in an element, as shares of its width and height. */
type Share = readonly [number, number]
const MIDDLE: Share = [0.5, 0.5]

/** Texts of a page whose worker has not answered, or in which something broke. */
const NOT_LIVE =
  /Waiting for the first response|Requesting the (?:list|figures|state)|Nothing has arrived yet| broke[.:\n]|is not responding/

/** The studio in any browser: finds parts by selector and text, and acts by the pointer and the keys. */
export class Studio {
  readonly #driver: Driver

  constructor(driver: Driver) {
    this.#driver = driver
  }

  /** Text of all that the selector finds, as it is seen; '' when it finds nothing. */
  text(selector: string): Promise<string> {
    return this.#driver.evaluate(
      (wanted) =>
        [...document.querySelectorAll<HTMLElement>(wanted)].map(({ innerText }) => innerText.trim()).join('\n'),
      selector,
    )
  }

  /** Waits until what the selector finds has this text, and nothing on the page waits for its worker or broke. */
  async shows(selector: string, text: RegExp): Promise<void> {
    await expect.poll(() => this.text(selector), { message: selector }).toMatch(text)
    await expect.poll(() => this.text('body')).not.toMatch(NOT_LIVE)
  }

  /** Clicks the first visible element whose text or name is this one, once nothing covers it; `at`: share of its width, height. */
  async click(selector: string, name = '', at: Share = MIDDLE): Promise<void> {
    const place = await this.place(selector, name, at)
    await this.#pointer([
      { type: 'pointerMove', ...place },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ])
  }

  /** Point of an element in the window, px, once it is visible there. */
  async place(selector: string, name = '', at: Share = MIDDLE): Promise<Place> {
    await expect.poll(() => this.#find(selector, name, at), { message: `${selector} ${name}` }).not.toBeNull()
    const found = await this.#find(selector, name, at)
    if (found === null) throw new Error(`${selector} ${name} is gone.`)
    return found
  }

  #find(selector: string, name: string, at: Share): Promise<Place | null> {
    return this.#driver.evaluate(
      (wanted, called, [across, down]) => {
        for (const element of document.querySelectorAll<HTMLElement>(wanted)) {
          const own = element.getAttribute('aria-label') ?? element.innerText.trim()
          if (called !== '' && own !== called) continue
          element.scrollIntoView({ block: 'nearest' })
          const box = element.getBoundingClientRect()
          const [x, y] = [Math.round(box.x + box.width * across), Math.round(box.y + box.height * down)]
          const top = document.elementFromPoint(x, y)
          if (top !== null && element.contains(top)) return { x, y }
        }
        return null
      },
      selector,
      name,
      at,
    )
  }

  async drag(from: Place, to: Place): Promise<void> {
    await this.#pointer([
      { type: 'pointerMove', ...from },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerMove', ...to, duration: 200 },
      { type: 'pointerUp', button: 0 },
    ])
  }

  async wheel(at: Place, deltaY: number): Promise<void> {
    const actions = [{ type: 'scroll', ...at, deltaX: 0, deltaY }]
    await this.#driver.perform([{ type: 'wheel', id: 'wheel', actions }])
  }

  /** Types into what has the focus. */
  async type(text: string): Promise<void> {
    await this.#keys(text.split('').flatMap((value) => [key('keyDown', value), key('keyUp', value)]))
  }

  /** Chooses the active option by Enter, once it is the wanted one. */
  async chooseOption(text: RegExp): Promise<void> {
    const active = '[role=option][aria-selected=true]'
    await expect.poll(() => this.text(active), { message: active }).toMatch(text)
    await this.type(ENTER)
  }

  async control(letter: string): Promise<void> {
    const [down, up] = [key('keyDown', letter), key('keyUp', letter)]
    await this.#keys([key('keyDown', CONTROL), down, up, key('keyUp', CONTROL)])
  }

  /** Events in the tables; 0 as long as the page has not started. */
  count(): Promise<number> {
    return this.#driver.evaluate(() => {
      const { rookery } = globalThis as { rookery?: typeof globalThis.rookery }
      return rookery?.summary().rows.reduce((sum, { count }) => sum + count, 0) ?? 0
    })
  }

  hash(): Promise<string> {
    return this.#driver.evaluate(() => location.hash)
  }

  #keys(actions: readonly { type: string; value: string }[]): Promise<void> {
    return this.#driver.perform([{ type: 'key', id: 'keys', actions }])
  }

  #pointer(actions: readonly Readonly<Record<string, string | number>>[]): Promise<void> {
    return this.#driver.perform([{ type: 'pointer', id: 'mouse', actions }])
  }
}

const key = (type: string, value: string): { type: string; value: string } => ({ type, value })
