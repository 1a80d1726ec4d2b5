// @ts-check
/** `npm run workload -- --server URL`: puts a database of a running server under load. */
import { pathToFileURL } from 'node:url'
import { number, options, serverUrl } from './options.mjs'
import { createSay, fail, Plain } from './say.mjs'
import { runWorkload } from './workload/run.mjs'

export { runWorkload }

const HELP = `
npm run workload -- --server URL [options]

Fills a database with random users and goes on with inserts, updates, deletes, large batches and pauses.

  --server URL       address of the RavenDB server, such as http://127.0.0.1:8085
  --database NAME    made when missing (demo)
  --documents N      how many the first fill writes, and about how many there are from then on (100000)
  --rate N           documents a second after the first fill (300)
  --fill-rate N      documents a second during the first fill, 0 for as fast as it goes (2500)
  --seconds N        ends after so many seconds; without it, Ctrl-C ends it
  --seed N           another seed writes other users (1)
  --once             ends after the first fill
  --help
`

async function main() {
  const given = options(
    {
      server: { type: 'string' },
      database: { type: 'string' },
      documents: { type: 'string' },
      rate: { type: 'string' },
      'fill-rate': { type: 'string' },
      seconds: { type: 'string' },
      seed: { type: 'string' },
      once: { type: 'boolean' },
    },
    HELP,
  )
  const server = serverUrl('--server', given['server'])
  if (!server) throw new Plain('--server is missing: name a running RavenDB, such as --server http://127.0.0.1:8085.')
  if (server.protocol === 'https:') throw new Plain('The workload is for unsecured servers: name one by http://….')
  const seconds = number('--seconds', given['seconds'], { min: 1 })
  const end = new AbortController()
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, () => end.abort())
  const timer = seconds === undefined ? undefined : setTimeout(() => end.abort(), seconds * 1000)
  const say = createSay()
  say.step(`Putting ${server.origin} under load; Ctrl-C ends it`)
  const documents = number('--documents', given['documents'])
  const rate = number('--rate', given['rate'], { max: 100_000 })
  const fillRate = number('--fill-rate', given['fill-rate'], { max: 1_000_000 })
  const seed = number('--seed', given['seed'])
  const result = await runWorkload({
    url: server.origin,
    signal: end.signal,
    say,
    once: given['once'] === true,
    ...(typeof given['database'] === 'string' ? { database: given['database'] } : {}),
    ...(documents === undefined ? {} : { documents }),
    ...(rate === undefined ? {} : { rate }),
    ...(fillRate === undefined ? {} : { fillRate }),
    ...(seed === undefined ? {} : { seed }),
  })
  clearTimeout(timer)
  say.done(
    `${result.inserted} users written, ${result.updated} changed, ${result.deleted} deleted in ${result.batches} transactions`,
  )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main().catch(fail)
