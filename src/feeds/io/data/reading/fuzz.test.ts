import { expect, test } from 'vitest'
import { GapLog } from '../../../../capture/worker/gap-log.ts'
import { Files } from '../../../../capture/reading/files.ts'
import { seededRandom } from '../../../../base/random.ts'
import { inGate } from '../../../../testing/gate.ts'
import { mutate } from '../../../../testing/mutate.ts'
import { RECORDED_LINES, recordedText } from '../../../../testing/recorded.ts'
import { IoFeed } from '../feed.ts'

/** By hand as long as one likes: `FUZZ_SECONDS=600 npx vitest run src/feeds/io/data/reading/fuzz.test.ts`. */
const SECONDS = Number(process.env['FUZZ_SECONDS'] ?? inGate(1, 4))
const SEED = Number(process.env['FUZZ_SEED'] ?? 1)

const corpus = RECORDED_LINES.flatMap((line) =>
  ['io-metrics.json', 'io-metrics-live.ndjson', 'admin-io-metrics.json'].map((name) =>
    new TextEncoder().encode(recordedText(line, name)),
  ),
)

/** Opens bytes as a user would; resolves when it is over. */
async function open(bytes: Uint8Array<ArrayBuffer>) {
  const feed = new IoFeed()
  const gapLog = new GapLog()
  const files = new Files({
    feeds: [feed],
    gapLog,
  })
  files.open(new File([bytes], 'fuzz'))
  while (files.isBusy) await new Promise((done) => setTimeout(done, 0))
  return { feed, gapLog, state: files.states[0]! }
}

/** `what` is part of the failure message, so that the case can be repeated. */
function check({ feed, state }: Awaited<ReturnType<typeof open>>, what: string): void {
  expect({ what, phase: state.phase }).toEqual({
    what,
    phase: expect.stringMatching(/^(read|broken|refused)$/) as string,
  })
  // Whatever is not whole says why, and nothing in the tables is not a number or out of order.
  expect({ what, silent: state.phase !== 'read' && state.message.length < 10 }).toEqual({ what, silent: false })
  for (const lane of feed.store.lanes.values())
    for (const { events } of lane.tracks.values()) {
      const rows = Array.from(
        { length: events.length },
        (_, row) => [events.read(0, row), events.read(1, row)] as const,
      )
      const sound = rows.every(
        ([start, duration], row) => start >= (rows[row - 1]?.[0] ?? Number.NEGATIVE_INFINITY) && duration >= 0,
      )
      expect({ what, sound }).toEqual({ what, sound: true })
    }
}

test(
  'mutated answers end in a capture or in a sentence, never in a hang or a broken table',
  async () => {
    const endMs = performance.now() + SECONDS * 1000
    let runs = 0
    for (let seed = SEED; performance.now() < endMs; seed++, runs++) {
      const random = seededRandom(seed)
      const bytes = mutate(corpus[Math.floor(random() * corpus.length)]!, random)
      check(await open(bytes), `FUZZ_SEED=${seed}`)
    }
    expect(runs).toBeGreaterThan(5)
  },
  SECONDS * 1000 + 60_000,
)

test('an answer that is cut at every 1,000th byte keeps what came before the cut', async () => {
  const bytes = corpus[0]!
  let before = -1
  for (let cut = 1000; cut < bytes.length; cut += 1000) {
    const { feed, state } = await open(bytes.slice(0, cut))
    expect(state.phase).toBe('broken')
    const { rows } = feed.byteLength()
    expect(rows).toBeGreaterThanOrEqual(before)
    before = rows
  }
  expect(before).toBeGreaterThan(500)
})

test.each([
  [
    'duplicate keys: the last one counts',
    '{"Environments":[{"Path":"/a","Path":"/b","Type":"Index","Files":[{"File":"x","Recent":[{"Start":"2026-11-20T04:00:00Z","Size":1,"Size":2,"Duration":1,"Type":"DataSync"}]}]}]}',
    ['/b', 2],
  ],
  [
    'script in names is text',
    '{"Environments":[{"Path":"/<script>alert(1)</script>","Type":"Index","Files":[{"File":"x","Recent":[{"Start":"2026-11-20T04:00:00Z","Size":7,"Duration":1,"Type":"DataSync"}]}]}]}',
    ['/<script>alert(1)</script>', 7],
  ],
  [
    'invalid UTF-8 is replaced',
    new Uint8Array([
      ...new TextEncoder().encode('{"Environments":[{"Path":"/'),
      0xff,
      ...new TextEncoder().encode(
        '","Type":"Index","Files":[{"File":"x","Recent":[{"Start":"2026-11-20T04:00:00Z","Size":3,"Duration":1,"Type":"DataSync"}]}]}]}',
      ),
    ]),
    ['/\uFFFD', 3],
  ],
] as const)('%s', async (_name, contents, [path, bytes]) => {
  const { feed } = await open(typeof contents === 'string' ? new TextEncoder().encode(contents) : contents)
  expect(feed.summary()).toMatchObject([{ environmentPath: path, count: 1, bytes }])
})
