/**
 * Run-time checks for values that came from outside (`unknown` → typed). Each throws `ParseError` with the JSON path,
 * what was expected and what came. Paths are JSONPath-like: `$.Databases[0].Name`.
 */

/** A value from outside that does not have the expected form. */
export class ParseError extends Error {
  override readonly name = 'ParseError'
  readonly path: string
  readonly expected: string
  readonly got: string

  constructor(path: string, expected: string, got: string) {
    super(`At ${path}: expected ${expected}, got ${got}.`)
    this.path = path
    this.expected = expected
    this.got = got
  }
}

export type JsonObject = Readonly<Record<string, unknown>>

/** A short name of what a value is, for messages: `null`, `array of 3`, `"text…"`, `12`. Never longer than about 60 characters. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'string') return JSON.stringify(value.length > 48 ? `${value.slice(0, 48)}…` : value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return 'an object'
}

const fail = (path: string, expected: string, value: unknown): never => {
  throw new ParseError(path, expected, describe(value))
}

export function asObject(value: unknown, path: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail(path, 'an object', value)
  return value as JsonObject
}

export function asArray(value: unknown, path: string): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : fail(path, 'an array', value)
}

export function asString(value: unknown, path: string): string {
  return typeof value === 'string' ? value : fail(path, 'a string', value)
}

/** A finite number. JSON has no other, but `1e999` is read as Infinity. */
export function asNumber(value: unknown, path: string): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : fail(path, 'a number', value)
}

export function asBoolean(value: unknown, path: string): boolean {
  return typeof value === 'boolean' ? value : fail(path, 'true or false', value)
}

/** `null` and a missing value are null: unknown is never 0 or ''. */
export function orNull<T>(check: (value: unknown, path: string) => T, value: unknown, path: string): T | null {
  return value === null || value === undefined ? null : check(value, path)
}

/** A quantity that the server sends as −1 or −2 when it does not know it. */
export function unlessNegative(value: unknown, path: string): number | null {
  const number = orNull(asNumber, value, path)
  return number === null || number < 0 ? null : number
}
