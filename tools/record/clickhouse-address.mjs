// @ts-check
/** Parses the address of a ClickHouse database, with user and password. No message contains the password. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Plain } from '../say.mjs'

/** Environment variable with the password. A command line is visible to every user of the machine. */
export const CLICKHOUSE_PASSWORD = 'ROOKERY_CLICKHOUSE_PASSWORD'

const HTTP_PORT = 8123
const HTTPS_PORT = 8443
const WANTED = 'such as clickhouse://rookery@clickhouse.local/rookery'

/** @param {string} text */
export const isClickHouse = (text) => /^clickhouses?:/i.test(text)

/**
 * @param {string | undefined} file
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<string | undefined>} undefined: none is given
 * @throws {Plain} when the file cannot be read
 */
export async function passwordOf(file, env = process.env) {
  if (file === undefined) return env[CLICKHOUSE_PASSWORD]
  try {
    return (await readFile(resolve(env['INIT_CWD'] ?? '', file), 'utf8')).replace(/\r?\n$/, '')
  } catch (error) {
    throw new Plain(`--password-file cannot be read (${error instanceof Error ? error.message : String(error)}).`)
  }
}

/**
 * @param {string} text `clickhouse://[user[:password]@]host[:port]/database[?secure=1]`
 * @param {string | undefined} password in place of that of the text
 * @returns {{ url: string, database: string, user: string, password: string }}
 * @throws {Plain} without the text, which may hold a password
 */
export function clickHouseAddress(text, password) {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.hostname === '') throw new Plain(`The address of ClickHouse is ${WANTED}.`)
  const database = decoded(url.pathname.slice(1))
  if (!/^[A-Za-z_]\w{0,63}$/.test(database))
    throw new Plain(`The address of ClickHouse names a database of letters, digits and “_”, ${WANTED}.`)
  const isSecure = url.protocol === 'clickhouses:' || url.searchParams.get('secure') === '1'
  const port = url.port === '' ? (isSecure ? HTTPS_PORT : HTTP_PORT) : Number(url.port)
  return {
    url: `${isSecure ? 'https' : 'http'}://${url.hostname}:${port}`,
    database,
    user: decoded(url.username) || 'default',
    password: password ?? decoded(url.password),
  }
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Plain('In the address of ClickHouse “%” is written as “%25”.')
  }
}
