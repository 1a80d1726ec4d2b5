// @ts-check
/**
 * Generates files with an extreme number of one thing: environments, kinds, files, operations of a batch. Such files
 * are hand-made, hostile, or from a server larger than any seen so far. Each function returns the expected sums.
 */
import { createWriteStream } from 'node:fs'
import { once } from 'node:events'

const START_MS = Date.UTC(2026, 10, 20, 4)
const PIECE = 1 << 20

/** @typedef {{ count: number, bytes: number }} Totals */

/**
 * Writes the strings of `parts` one after the other.
 * @param {string} file @param {Iterable<string>} parts
 */
async function write(file, parts) {
  const out = createWriteStream(file)
  let piece = ''
  for (const part of parts) {
    piece += part
    if (piece.length < PIECE) continue
    if (!out.write(piece)) await once(out, 'drain')
    piece = ''
  }
  out.end(piece)
  await once(out, 'finish')
}

/** Start time, within an hour, different for each number. @param {number} n */
const startOf = (n) => new Date(START_MS + ((n * 7919) % 3_600_000)).toISOString()
/** @param {number} n */
const sizeOf = (n) => 4096 * (1 + (n % 50))

/** @param {number} n @param {string} kind */
const event = (n, kind) =>
  `{"Start":"${startOf(n)}","Size":${sizeOf(n)},"FileSize":65536,"Duration":${1 + (n % 40) / 10},"Type":"${kind}"}`

/** @param {Iterable<number>} numbers @returns {Totals} */
function totals(numbers) {
  const sums = { count: 0, bytes: 0 }
  for (const n of numbers) {
    sums.count++
    sums.bytes += sizeOf(n)
  }
  return sums
}

/** @param {number} length */
function* upTo(length) {
  for (let n = 0; n < length; n++) yield n
}

/** A journal write in each environment. @param {string} file @param {number} environments @returns {Promise<Totals>} */
export async function generateEnvironments(file, environments) {
  await write(
    file,
    (function* () {
      yield '{"Environments":['
      for (const n of upTo(environments))
        yield `${n === 0 ? '' : ','}{"Path":"/data/Databases/shop/Indexes/Orders_By${n}","Type":"Index","Files":[{"File":"0000000000000000001.journal","Status":"InUse","Recent":[${event(n, 'JournalWrite')}],"History":[]}]}`
      yield ']}'
    })(),
  )
  return totals(upTo(environments))
}

/** An event of each kind, in one file. @param {string} file @param {number} kinds @returns {Promise<Totals>} */
export async function generateKinds(file, kinds) {
  await write(
    file,
    (function* () {
      yield '{"Environments":[{"Path":"/data","Type":"Documents","Files":[{"File":"1.journal","Status":"InUse","Recent":['
      for (const n of upTo(kinds)) yield (n === 0 ? '' : ',') + event(n, `Kind${n}`)
      yield '],"History":[]}]}]}'
    })(),
  )
  return totals(upTo(kinds))
}

/** A journal write in each file of one environment. @param {string} file @param {number} files @returns {Promise<Totals>} */
export async function generateFiles(file, files) {
  await write(
    file,
    (function* () {
      yield '{"Environments":[{"Path":"/data","Type":"Documents","Files":['
      for (const n of upTo(files))
        yield `${n === 0 ? '' : ','}{"File":"${String(n).padStart(19, '0')}.journal","Status":"InUse","Recent":[${event(n, 'JournalWrite')}],"History":[]}`
      yield ']}]}'
    })(),
  )
  return totals(upTo(files))
}

/**
 * Writes a batch with the given number of operations below Map, each with a different name, 0.1 ms each.
 * @param {string} file @param {number} operations
 */
export async function generateOperations(file, operations) {
  const ms = operations / 10
  const batch = `{"Id":1,"Started":"${startOf(0)}","Completed":"${new Date(START_MS + ms).toISOString()}","DurationInMs":${ms},"InputCount":1,"OutputCount":1,"FailedCount":0,"SuccessCount":1`
  await write(
    file,
    (function* () {
      yield `{"Results":[{"Name":"Orders/ByName","Performance":[${batch},"Details":{"Name":"Indexing","DurationInMs":${ms},"Operations":[{"Name":"Map","DurationInMs":${ms},"Operations":[`
      for (const n of upTo(operations))
        yield `${n === 0 ? '' : ','}{"Name":"Collection_C${n}","DurationInMs":0.1,"Operations":[]}`
      yield ']}]}}]}]}'
    })(),
  )
}
