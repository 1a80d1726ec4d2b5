import type { TimeRange } from '../base/ticks.ts'
import { transferables } from '../capture/client/protocol.ts'
import type { ParamsOf, RequestName, ResponseOf } from '../capture/client/requests/requests.ts'
import type { SampleReport, SampleRequest } from '../capture/client/sample.ts'
import type { Handler } from '../capture/worker/handlers.ts'
import { GapLog } from '../capture/worker/gap-log.ts'
import { Files } from '../capture/reading/files.ts'
import type { FirstView } from '../capture/client/requests/first-picture.ts'
import type { SourceId } from '../capture/client/state.ts'
import { ioFirstPicture } from '../features/io/first-picture.ts'
import type { Governor } from '../ravendb/governor/governor.ts'
import { createFeeds } from './feeds.ts'

/** Number of documents that are read in turn: the compiler optimises functions after some hundred calls. */
const ROUNDS = 3
const ENVIRONMENTS = ['', '/Indexes/ByName', '/Indexes/ByTime']
const EVENTS = 700
const NAME = 'warm-up.json'

/** Sample of an export of I/O metrics. */
function sample(): string {
  const kinds = ['JournalWrite', 'DataFlush', 'DataSync', 'Compression']
  const event = (at: number): unknown => ({
    Start: new Date(Date.UTC(2026, 0, 1) + at * 37).toISOString().replace('Z', '1234Z'),
    Size: 4096 * (1 + (at % 9)),
    HumaneSize: '4 KBytes',
    FileSize: 33_554_432,
    HumaneFileSize: '32 MBytes',
    Duration: 0.16 + (at % 7),
    Type: kinds[at % 11 === 0 ? at % 4 : 0],
  })
  const Files = [{ File: '0.journal', Status: 'InUse', Recent: Array.from({ length: EVENTS }, (_, at) => event(at)) }]
  return JSON.stringify({ Environments: ENVIRONMENTS.map((path) => ({ Path: `/a${path}`, Type: 'Documents', Files })) })
}

/** Sample with everything that a page needs to show a panel with it. */
export interface Sample {
  readonly source: SourceId
  readonly extent: TimeRange
  /** Responds to the I/O panel without a server. Throws the handler's error, or `Error` if there is no handler. */
  readonly respond: <Name extends RequestName>(
    name: Name,
    params: ParamsOf<Name>,
    signal: AbortSignal,
  ) => Promise<ResponseOf<Name>>
}

/** Not used: none of these requests needs a server. */
const NO_GOVERNOR = undefined as unknown as Governor

/**
 * Runs the reader and the responses of a first picture on a small document, in tables that are then dropped. Functions
 * are compiled when they first run, which takes several times as long as reading a small file.
 */
export async function warmUp(): Promise<Sample> {
  const text = sample()
  const { signal } = new AbortController()
  for (let round = 1; ; round++) {
    const read = await readSample(text)
    await ioFirstPicture((name, params) => read.respond(name, params, signal), expected(read))
    if (round === ROUNDS) return read
  }
}

async function readSample(text: string): Promise<Sample> {
  const feeds = createFeeds()
  const files = new Files({ feeds, gapLog: new GapLog() })
  files.open(new File([text], NAME))
  await files.rest()
  const io = feeds.find(({ name }) => name === 'io')
  const extent = io?.extent?.() ?? null
  if (io === undefined || extent === null) throw new Error('The sample was not read.')
  return {
    source: `file:${NAME}`,
    extent,
    respond: async (name, params, signal) => {
      const handler: Handler<typeof name> | undefined = io.responses[name]
      if (handler === undefined) throw new Error(`Nothing responds to ${name}.`)
      return handler(params, NO_GOVERNOR, signal)
    },
  }
}

/** Responds to a page that shows a panel with the sample, until it closes the port. */
export function serveSample(port: MessagePort, { source, extent, respond }: Sample): void {
  const post = (message: SampleReport, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer)
  port.onmessage = ({ data: { id, name, params } }: MessageEvent<SampleRequest>) => {
    respond(name, params as never, new AbortController().signal).then(
      (value) => post({ type: 'response', id, value }, transferables(value)),
      (error: unknown) => post({ type: 'failure', id, message: String(error) }),
    )
  }
  post({ type: 'ready', source, extent })
}

/** First view of a usual size. */
const expected = ({ source, extent }: Sample): FirstView => ({
  sources: [source],
  range: extent,
  known: extent,
  gaps: [],
  params: {},
  sizes: new Map([['io', { plotWidthPx: 1000, plotHeightPx: 400, bodyPx: 600, overviewPx: 1000 }]]),
})
