// @ts-check
import { expect, test } from 'vitest'
import { clickHouseAddress, passwordOf } from './clickhouse-address.mjs'

test.each([
  ['clickhouse://db.local/rookery', 'http://db.local:8123', 'default', ''],
  ['clickhouse://me:a%40b@db.local:80/rookery', 'http://db.local:80', 'me', 'a@b'],
  ['clickhouses://me@db.local/rookery', 'https://db.local:8443', 'me', ''],
  ['clickhouse://me@[::1]:9/rookery?secure=1', 'https://[::1]:9', 'me', ''],
])('%s', (text, url, user, password) => {
  expect(clickHouseAddress(text, undefined)).toEqual({ url, user, password, database: 'rookery' })
})

test('a password from elsewhere takes the place of that of the address', async () => {
  const given = await passwordOf(undefined, { ROOKERY_CLICKHOUSE_PASSWORD: 'other' })
  expect(clickHouseAddress('clickhouse://me:first@db/rookery', given)).toMatchObject({ password: 'other' })
  await expect(passwordOf('/no/such/file', {})).rejects.toThrow('--password-file cannot be read')
})

test.each([
  'clickhouse:///rookery',
  'clickhouse://me:s3cret@db',
  'clickhouse://me:s3cret@db/a-b`; drop',
  'clickhouse://me:s3cret%@db/x',
  'clickhouse://me:s3cret@db:99999/x',
])('%s is refused without its password', (text) => {
  /** @type {unknown} */
  let thrown
  try {
    clickHouseAddress(text, undefined)
  } catch (error) {
    thrown = error
  }
  expect(String(thrown)).toMatch(/address of ClickHouse/)
  expect(String(thrown)).not.toContain('s3cret')
})
