// @ts-check
/**
 * Generates any number of realistic index batches from a seed: the response of `indexes/performance` if the server's
 * ring buffers had no limit. 24 indexes with five shapes of operation trees (Corax and Lucene, map and map-reduce, 12
 * to 60 operations; about 10 KB per batch, as servers write them), heavy-tailed durations, bursts separated by idle
 * periods, empty and failed batches, stop reasons that contain numbers, and ids that are shared by all indexes of the
 * database.
 */
import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { randomOf } from './generate.mjs'

const START_MS = Date.UTC(2026, 10, 20, 4)
const INDEXES = 24
const NO_DETAILS = {
  ReduceDetails: null,
  MapDetails: null,
  CleanupDetails: null,
  LuceneMergeDetails: null,
  CommitDetails: null,
  ReferenceDetails: null,
}

/** Placeholder in a batch's text for one of its numbers. */
const HOLE = '\u0001'

/** @typedef {{ Name: string, DurationInMs: string, Operations: Operation[], [details: string]: unknown }} Operation */

/** @param {string} Name @param {Operation[]} [Operations] @param {object} [details] @returns {Operation} */
const operation = (Name, Operations = [], details = {}) => ({
  Name,
  DurationInMs: HOLE,
  ...NO_DETAILS,
  ...details,
  Operations,
})

const collection = (/** @type {number} */ n) => `Collection_${['Orders', 'Users', 'Places', 'Readings'][n % 4] ?? ''}`
const MAP_DETAILS = {
  MapDetails: {
    BatchCompleteReason: 'REASON',
    ProcessPrivateMemory: 734_003_200,
    ProcessWorkingSet: 1_288_490_188,
    CurrentlyAllocated: HOLE,
    AllocationBudget: 33_554_432,
  },
}
const COMMIT = operation('Storage/Commit', [], {
  CommitDetails: { NumberOfModifiedPages: HOLE, NumberOf4KbsWrittenToDisk: HOLE },
})

/** @param {number} n @param {number} fields */
const corax = (n, fields) =>
  operation('Indexing', [
    operation('DocumentsCleanup', [operation(collection(n))]),
    operation(
      'Map',
      [
        operation(collection(n), [
          operation('Storage/DocumentRead'),
          operation('Linq', [operation('LoadDocument')]),
          operation('Bloom'),
          operation('Corax/Convert'),
          operation('Corax/AddDocument'),
        ]),
      ],
      MAP_DETAILS,
    ),
    operation('Corax/Commit', [
      ...Array.from({ length: fields }, (_, i) =>
        operation(
          `Field_Field${i}`,
          ['TextualValues', 'IntegerValues', 'FloatingValues'].map((name) => operation(name)),
        ),
      ),
      operation('StoredValues'),
    ]),
    COMMIT,
    operation('Lucene/RecreateSearcher'),
  ])

/** @param {number} n @param {number} nested */
const mapReduce = (n, nested) =>
  operation('Indexing', [
    operation('DocumentsCleanup', [operation(collection(n))]),
    operation(
      'Map',
      [
        operation(
          collection(n),
          ['Storage/DocumentRead', 'Linq', 'PutMapResults', 'Jint'].map((name) => operation(name)),
        ),
      ],
      MAP_DETAILS,
    ),
    operation(
      'Reduce',
      Array.from({ length: nested }, () =>
        operation(
          'Reduce_Tree',
          ['LeafAggregation', 'BranchAggregation', 'StoringReduceResult'].map((name) => operation(name)),
        ),
      ),
      {
        ReduceDetails: {
          NumberOfModifiedLeafs: HOLE,
          NumberOfModifiedBranches: HOLE,
          ReduceAttempts: HOLE,
          ReduceErrors: 0,
        },
      },
    ),
    COMMIT,
  ])

/** Parts of an operation tree's text between its placeholders. @param {number} n */
function templateOf(n) {
  const tree = n % 5 === 4 ? mapReduce(n, 8) : n % 5 === 3 ? corax(n, 4) : corax(n, 10 + (n % 3))
  return JSON.stringify(tree).split(JSON.stringify(HOLE))
}

/** @param {number} ms since the beginning */
const time = (ms) => new Date(START_MS + ms).toISOString().replace('Z', '4711Z')

const nameOf = (/** @type {number} */ index) =>
  `${['Orders/By', 'Users/Search', 'Places/Near', 'Auto/Readings/By'][index % 4] ?? ''}Field${index}`

/**
 * Creates single batches, of each index in turn.
 * @param {number} seed
 * @returns {(startMs: number) => { index: string, id: number, json: string, durationTicks: number }} of the batch that begins then, ms since 1970
 */
export function batchesOf(seed) {
  const random = randomOf(seed)
  const templates = Array.from({ length: INDEXES }, (_, index) => templateOf(index))
  let id = 0
  return (startMs) => {
    const index = id % INDEXES
    const { json, ms } = batchText(templates[index] ?? [], id, startMs - START_MS, random, { batches: 0, documents: 0 })
    return { index: nameOf(index), id: id++, json, durationTicks: Math.round(ms * 10_000) }
  }
}

/**
 * @typedef {object} BatchTotals what the file holds, to check against
 * @property {number} batches @property {number} documents
 */

/** @param {string} path @param {number} batches @param {number} [seed] @returns {Promise<BatchTotals>} */
export async function generateBatches(path, batches, seed = 1) {
  const out = createWriteStream(path, { highWaterMark: 8 << 20 })
  const totals = { batches: 0, documents: 0 }
  const random = randomOf(seed)
  /** @type {string[]} */
  let parts = ['{"Results":[']
  let length = 0
  for (let index = 0; index < INDEXES; index++) {
    const template = templateOf(index)
    parts.push(`${index > 0 ? ',' : ''}{"Name":"${nameOf(index)}","Performance":[`)
    const many = Math.floor(batches / INDEXES) + (index < batches % INDEXES ? 1 : 0)
    let atMs = random() * 1000
    for (let i = 0; i < many; i++) {
      const text = batchText(template, i * INDEXES + index, atMs, random, totals)
      parts.push(i > 0 ? ',' : '', text.json)
      atMs = text.nextMs
      length += text.json.length
      if (length < 4 << 20) continue
      if (!out.write(parts.join(''))) await once(out, 'drain')
      parts = []
      length = 0
    }
    parts.push(']}')
  }
  parts.push(']}')
  out.end(parts.join(''))
  await once(out, 'close')
  return totals
}

/**
 * @param {readonly string[]} template @param {number} id @param {number} atMs @param {() => number} random @param {BatchTotals} totals
 */
function batchText(template, id, atMs, random, totals) {
  const isEmpty = random() < 0.08
  const isFailed = !isEmpty && random() < 0.02
  // Most batches take tens of milliseconds, few take a hundred times that.
  const ms = isEmpty ? 1 + random() * 4 : Math.min(30_000, 18 / (1.0002 - random()) ** 0.8)
  const documents = isEmpty ? 0 : 1 + Math.floor(ms * (1 + random() * 6))
  const failed = isFailed ? 1 + Math.floor(documents * 0.01 * random()) : 0
  totals.batches++
  totals.documents += documents
  const reason =
    random() < 0.7
      ? 'No more documents to index'
      : `Exceeded maximum configured map documents batch size (${16_384 + Math.floor(random() * 8)} documents)`
  let details = template[0] ?? ''
  for (let i = 1; i < template.length; i++) {
    const isWhole = /(?:Allocated|Pages|Disk|Leafs|Branches|Attempts)":$/.test(template[i - 1] ?? '')
    const number = isWhole ? Math.floor(random() * 3000) : i === 1 ? ms : (ms * random() * 20) / template.length
    details += (isWhole ? String(number) : number.toFixed(2)) + (template[i] ?? '')
  }
  const size = documents * 311
  const json = `{"Id":${id},"Completed":"${time(atMs + ms)}","Details":${details.replace('"REASON"', `"${reason}"`)},"InputCount":${documents},"FailedCount":${failed},"OutputCount":${documents - failed},"SuccessCount":${documents - failed},"Started":"${time(atMs)}","DurationInMs":${ms.toFixed(2)},"AllocatedManagedBytes":{"SizeInBytes":${documents * 96},"HumaneSize":"${((documents * 96) / 1024).toFixed(2)} KBytes"},"AllocatedUnmanagedBytes":null,"DocumentsSize":{"SizeInBytes":${size},"HumaneSize":"${(size / 1024).toFixed(2)} KBytes"},"TombstoneDeleteSuccesses":0}`
  const pauseMs = random() < 0.03 ? 60_000 * random() : 200 * random()
  return { json, ms, nextMs: atMs + ms + pauseMs }
}
