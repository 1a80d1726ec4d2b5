// @ts-check
/**
 * Child process: writes documents into a database as fast as the server accepts them, and prints their number after
 * each batch.
 */
import { bulk, put } from '../tools/ravendb/client.mjs'
import { userDocument } from '../tools/workload/users.mjs'

const [url = '', database = ''] = process.argv.slice(2)
const BATCH = 100
/** Number of users, which are written repeatedly, so that the database does not grow with time. */
const USERS = 5000

for (let first = 0; ; first += BATCH) {
  const commands = Array.from({ length: BATCH }, (_, at) => {
    const user = (first + at) % USERS
    return put(`users/${user}`, 'Users', userDocument(1, user, Math.floor((first + at) / USERS)))
  })
  await bulk(url, database, commands)
  process.send?.(BATCH)
}
