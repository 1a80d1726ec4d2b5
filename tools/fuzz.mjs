// @ts-check
/** Sends malformed and unusual requests to the stand-alone server, for a given time. */
import { fuzz } from './fuzz/fuzz.mjs'
import { number, options } from './options.mjs'
import { fail } from './say.mjs'

const HELP = `
node tools/fuzz.mjs -- [options]

Sends odd requests to the stand-alone server, in front of a server that records: nothing that is not on the list of what
the studio reads may reach it.

  --minutes N   how long (1)
  --seed N      which requests (1)
  --help
`

async function main() {
  const given = options({ minutes: { type: 'string' }, seed: { type: 'string' } }, HELP)
  const minutes = number('--minutes', given['minutes'], { min: 0.01, max: 1440, whole: false }) ?? 1
  const seed = number('--seed', given['seed']) ?? 1
  const { sent, reached, faults } = await fuzz({ seed, ms: minutes * 60_000 })
  for (const each of faults) process.stdout.write(`${each}\n`)
  process.stdout.write(`${sent} requests sent, ${reached} reached the server, ${faults.length} of them wrong\n`)
  process.exit(faults.length > 0 || reached === 0 ? 1 : 0)
}

main().catch(fail)
