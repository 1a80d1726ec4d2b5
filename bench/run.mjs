// @ts-check
/**
 * Measures the built studio beside the browser's own floor, prints tables and writes them to bench/results.
 * `node bench/run.mjs [--only io,stalls,stacks,indexing,limits,package] [--events 10000,1000000] [--batches 10000,100000] [--rounds 3] [--no-official] [--no-write]`
 */
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openBench } from './browser.mjs'
import { runIndexing } from './indexing.mjs'
import { runIo } from './io.mjs'
import { runLimits } from './limits.mjs'
import { runPackage } from './package.mjs'
import { runStacks } from './stacks.mjs'
import { runStalls } from './stalls.mjs'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'io,stalls,stacks,indexing,limits,package' },
    events: { type: 'string', default: '10000,100000,1000000' },
    batches: { type: 'string', default: '10000,40000,100000' },
    'no-official': { type: 'boolean', default: false },
    'no-write': { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
  },
})
const folder = join(tmpdir(), 'rookery-bench')
await mkdir(folder, { recursive: true })
const only = values.only.split(',')
const options = { rounds: Number(values.rounds), isWritten: !values['no-write'] }

const bench = await openBench()
if (only.includes('io'))
  await runIo(bench, folder, {
    ...options,
    sizes: values.events.split(',').map(Number),
    isAlone: values['no-official'],
  })
if (only.includes('stalls')) await runStalls(bench, folder, { ...options, sizes: values.events.split(',').map(Number) })
if (only.includes('stacks')) await runStacks(bench, folder, options)
if (only.includes('indexing'))
  await runIndexing(bench, folder, { ...options, sizes: values.batches.split(',').map(Number) })
if (only.includes('package')) await runPackage(bench, folder, options)
if (only.includes('limits')) await runLimits(bench, folder, options)
await bench.close()
process.exit(0)
