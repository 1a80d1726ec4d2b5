import { parseTicks, type Ticks } from '../ticks.ts'
import { asArray, asBoolean, asNumber, asObject, asString, orNull, unlessNegative, type JsonObject } from './check.ts'

type Check<T> = (value: unknown, path: string) => T

/**
 * Fields of an object from outside, each checked when it is read. Errors: `ParseError` with the path of the field. The
 * methods `…OrNull` return null if the field is missing or null.
 */
export class Fields {
  readonly all: JsonObject
  readonly #path: () => string

  constructor(value: unknown, path: () => string = () => '$') {
    this.#path = path
    this.all = isObject(value) ? value : asObject(value, path())
  }

  number(name: string): number {
    return this.#read(asNumber, name)
  }

  numberOrNull(name: string): number | null {
    return this.#read(numberOrNull, name)
  }

  /** Quantity; null also for −1 or −2, which the server sends for one that it does not know. */
  quantityOrNull(name: string): number | null {
    return this.#read(unlessNegative, name)
  }

  text(name: string): string {
    return this.#read(asString, name)
  }

  textOrNull(name: string): string | null {
    return this.#read(textOrNull, name)
  }

  flag(name: string): boolean {
    return this.#read(asBoolean, name)
  }

  flagOrNull(name: string): boolean | null {
    return this.#read(flagOrNull, name)
  }

  /** Whether the value is `true`; false if missing or anything else. */
  isTrue(name: string): boolean {
    return this.all[name] === true
  }

  /** Time; null also for a text that is not one, and for the year 1 of .NET, which means "never". */
  ticksOrNull(name: string): Ticks | null {
    const ticks = parseTicks(this.textOrNull(name) ?? '')
    return Number.isNaN(ticks) ? null : ticks
  }

  in(name: string): Fields {
    return new Fields(this.all[name], () => this.#of(name))
  }

  inOrNull(name: string): Fields | null {
    return this.all[name] == null ? null : this.in(name)
  }

  list<T>(name: string, check: Check<T>): T[] {
    return this.#read(asArray, name).map((item, i) => check(item, `${this.#of(name)}[${i}]`))
  }

  /** Empty if the list is missing. */
  listOrNone<T>(name: string, check: Check<T>): T[] {
    return this.all[name] == null ? [] : this.list(name, check)
  }

  /** A list of objects. */
  each(name: string): Fields[] {
    return this.#read(asArray, name).map((item, i) => new Fields(item, () => `${this.#of(name)}[${i}]`))
  }

  /** Empty if the list is missing. */
  eachOrNone(name: string): Fields[] {
    return this.all[name] == null ? [] : this.each(name)
  }

  /** Builds the path only for an error: frames have thousands of fields. */
  #read<T>(check: Check<T>, name: string): T {
    try {
      return check(this.all[name], '')
    } catch {
      return check(this.all[name], this.#of(name))
    }
  }

  #of(name: string): string {
    return /^[\w@]+$/.test(name) ? `${this.#path()}.${name}` : `${this.#path()}[${JSON.stringify(name)}]`
  }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const numberOrNull: Check<number | null> = (value, path) => orNull(asNumber, value, path)
const textOrNull: Check<string | null> = (value, path) => orNull(asString, value, path)
const flagOrNull: Check<boolean | null> = (value, path) => orNull(asBoolean, value, path)
