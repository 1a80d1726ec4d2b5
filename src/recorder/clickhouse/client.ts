/** Address of a ClickHouse database, as given in options. */
export interface ClickHouseAddress {
  /** Address of its HTTP interface, without a path. */
  readonly url: string
  readonly database: string
  readonly user: string
  /** Password; empty: none. Never part of a message. */
  readonly password: string
}

/** Parameters of a statement. They are sent apart from its text, so that values never become part of it. */
export type Params = Readonly<Record<string, string | number | bigint>>

interface Sent {
  readonly params?: Params
  readonly body?: Uint8Array
  readonly signal?: AbortSignal
  /** Send the statement without a database, for statements that name it themselves and run before it may exist. */
  readonly isOutside?: true
  /** Declare that nothing is changed: ClickHouse then ends it when its connection closes. */
  readonly isReading?: true
}

/** Time, ms, after which a missing response counts as lost. */
const LONGEST_MS = 60_000
const MOST_WORDS = 400

/** Error of a statement that ClickHouse refused or did not answer. The message never contains the password. */
export class ClickHouseError extends Error {
  override readonly name = 'ClickHouseError'
  /** Whether ClickHouse answered and would refuse it again. False: no answer, or it may accept it later. */
  readonly isRefusal: boolean

  constructor(message: string, isRefusal: boolean) {
    super(message)
    this.isRefusal = isRefusal
  }
}

/**
 * Error codes of temporary refusals: too many parts or queries, memory, timeouts, a server that starts or ends. Source:
 * ClickHouse "ErrorCodes.cpp".
 */
const PASSING = new Set([3, 159, 202, 203, 209, 210, 241, 243, 252, 319, 364, 394, 425, 439, 473, 999])

/** ClickHouse ignores the second without the first. 2: read-only, but settings of formats may change. */
const READING = [
  ['readonly', '2'],
  ['cancel_http_readonly_queries_on_client_close', '1'],
] as const

/** Node's error codes for a certificate whose authority is not trusted. */
const UNTRUSTED = /UNABLE_TO|SELF_SIGNED|CERT_UNTRUSTED|INVALID_CA|CERT_SIGNATURE/

/** Client of a ClickHouse database, by its HTTP interface. */
export class ClickHouse {
  readonly #address: ClickHouseAddress

  constructor(address: ClickHouseAddress) {
    this.#address = address
  }

  get database(): string {
    return this.#address.database
  }

  /** Host and database, for messages: `clickhouse.local:8123/rookery`. */
  get place(): string {
    return `${new URL(this.#address.url).host}/${this.database}`
  }

  /** Runs a statement; a body holds the data of an INSERT. Errors: `ClickHouseError`. */
  async run(
    sql: string,
    { params = {}, body, signal, isOutside, isReading }: Sent = {},
  ): Promise<Uint8Array<ArrayBuffer>> {
    const url = new URL(this.#address.url)
    // Without it ClickHouse sends status 200 first, and reports a failure in the middle of the rows.
    url.searchParams.set('wait_end_of_query', '1')
    if (isOutside !== true) url.searchParams.set('database', this.database)
    if (isReading === true) for (const [name, value] of READING) url.searchParams.set(name, value)
    for (const [name, value] of Object.entries(params)) url.searchParams.set(`param_${name}`, escaped(String(value)))
    if (body !== undefined) url.searchParams.set('query', sql)
    const late = AbortSignal.timeout(LONGEST_MS)
    let response: Response
    let bytes: Uint8Array<ArrayBuffer>
    try {
      response = await fetch(url, {
        method: 'POST',
        headers: {
          'X-ClickHouse-User': asHeader(this.#address.user),
          'X-ClickHouse-Key': asHeader(this.#address.password),
        },
        body: body === undefined ? sql : Uint8Array.from(body),
        signal: signal === undefined ? late : AbortSignal.any([late, signal]),
        redirect: 'error',
      })
      bytes = new Uint8Array(await response.arrayBuffer())
    } catch (error) {
      throw new ClickHouseError(this.#unreached(error), false)
    }
    if (response.ok) return bytes
    const words = this.#without(new TextDecoder().decode(bytes).trim()).slice(0, MOST_WORDS)
    const code = Number(response.headers.get('X-ClickHouse-Exception-Code') ?? /^Code: (\d+)/.exec(words)?.[1] ?? 0)
    const isRefusal = response.status < 500 ? !PASSING.has(code) : code !== 0 && !PASSING.has(code)
    throw new ClickHouseError(
      `${this.place} refuses it: ${words === '' ? `HTTP ${String(response.status)}` : words}`,
      isRefusal,
    )
  }

  /** Reads the rows of a SELECT; 64-bit numbers come as text. Errors: `ClickHouseError`. */
  async rows<Row>(sql: string, sent: Sent = {}): Promise<Row[]> {
    const bytes = await this.run(`${sql} SETTINGS output_format_json_quote_64bit_integers = 1 FORMAT JSONEachRow`, {
      ...sent,
      isReading: true,
    })
    return new TextDecoder()
      .decode(bytes)
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]))
  }

  #unreached(error: unknown): string {
    const { message, cause } = error as Error
    const { message: why = '', code = '' } = (cause ?? {}) as Partial<NodeJS.ErrnoException>
    // Node 24 adds advice of its own after a semicolon.
    if (UNTRUSTED.test(code))
      return `${this.place} shows a certificate that is not trusted here (${why.replace(/;.*/, '')}): NODE_EXTRA_CA_CERTS=FILE names the authority that signed it.`
    if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG')
      return `${this.place} speaks no TLS: use clickhouse://.`
    return `${this.place} does not answer: ${why || message}.`
  }

  /** Hides the password in a message of ClickHouse. */
  #without(words: string): string {
    const { password } = this.#address
    return password === '' ? words : words.replaceAll(password, '…')
  }
}

/** Encodes a header value: ClickHouse compares bytes of UTF-8; `fetch` sends one byte a character. */
const asHeader = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

/** Escapes the value of a parameter, as in TSV. */
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll('\t', String.raw`\t`)
    .replaceAll('\n', String.raw`\n`)
