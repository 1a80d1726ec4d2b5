import { formatCount, formatPlural } from '../../../base/text/format.ts'
import { CHARS, type Delimiter } from './csv-preview.ts'

const QUOTE = 0x22
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/**
 * Finds in all of a CSV file what the server (7.1.5) loses without a word: a quotation mark that is
 * not closed takes the rest of the file as one value, a line of fewer fields than the first one is left out, and of one
 * with more the last are.
 */
export class CsvShape {
  readonly #separator: number
  #problem: string | null = null
  #at = 0
  /** Line, from 1, of the current byte, of the begin of its row, and of its opening quotation mark. */
  #line = 1
  #rowLine = 1
  #quoteLine = 1
  #isQuoted = false
  /** Whether the byte before was a quotation mark that may be the first of two. */
  #isClosed = false
  #isFieldEmpty = true
  #isAfterReturn = false
  #fields = 1
  /** Number of fields of the first row; null: not read yet. */
  #named: number | null = null

  constructor(delimiter: Delimiter) {
    this.#separator = CHARS[delimiter].charCodeAt(0)
  }

  /** The first problem so far; null: none. */
  get problem(): string | null {
    return this.#problem
  }

  push(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length && this.#problem === null; i++) {
      const byte = bytes[i] ?? 0
      if (this.#at < BYTE_ORDER_MARK.length && byte === BYTE_ORDER_MARK[this.#at]) this.#at++
      else {
        this.#at = BYTE_ORDER_MARK.length
        this.#take(byte)
      }
    }
  }

  /** Call it after the last byte. */
  end(): void {
    if (this.#problem !== null) return
    if (this.#isQuoted)
      this.#problem = `The quotation mark in line ${formatCount(this.#quoteLine)} is not closed: all that follows would be one value.`
    else this.#endRow()
  }

  #take(byte: number): void {
    const isAfterReturn = this.#isAfterReturn
    this.#isAfterReturn = byte === CARRIAGE_RETURN
    if (byte === CARRIAGE_RETURN || (byte === LINE_FEED && !isAfterReturn)) {
      if (!this.#isQuoted) this.#endRow()
      this.#line++
      if (!this.#isQuoted) this.#rowLine = this.#line
      return
    }
    if (byte === LINE_FEED) return
    const isClosed = this.#isClosed
    this.#isClosed = false
    if (this.#isQuoted) {
      if (byte !== QUOTE) return
      this.#isQuoted = false
      this.#isClosed = true
    } else if (byte === this.#separator) {
      this.#fields++
      this.#isFieldEmpty = true
    } else {
      if (byte === QUOTE && (isClosed || this.#isFieldEmpty)) {
        this.#isQuoted = true
        if (!isClosed) this.#quoteLine = this.#line
      }
      this.#isFieldEmpty = false
    }
  }

  #endRow(): void {
    const fields = this.#fields
    const isBlank = fields === 1 && this.#isFieldEmpty
    this.#fields = 1
    this.#isFieldEmpty = true
    this.#isClosed = false
    if (isBlank) return
    this.#named ??= fields
    if (fields === this.#named) return
    const lost = fields < this.#named ? 'would leave the line out' : 'would leave the last ones out'
    this.#problem = `Line ${formatCount(this.#rowLine)} has ${formatPlural(fields, 'field')}, and the first line ${formatCount(this.#named)}: the server ${lost}.`
  }
}
