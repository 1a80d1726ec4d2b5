import { asNumber, asObject, type JsonObject } from '../base/check.ts'
import { asRavenError } from './errors.ts'
import type { Governor, SocketControl } from './governor.ts'

/** Twice this is how long it takes until everything goes slower, where the promise leaves room for it. */
const EVERY_MS = 20_000
/** What it costs, ms of the server's CPU: credits, a handshake, a command and two frames. */
const COST_MS = 15
/** The machine has no CPU to spare from here on, %. */
const BUSY_PERCENT = 95
/** The first tells of the time since anybody asked, the second of a second. */
const FRAMES = 2
const PATIENCE_MS = 5000
const WATCH_CPU = JSON.stringify({ Command: 'watch', Id: 1, Type: 'CpuUsage', Config: null })

interface Look {
  /** CPU of the machine, %; empty: not told. */
  readonly machinePercents: readonly number[]
  readonly hasCredits: boolean
}

/**
 * Whether the server is short of CPU or CPU credits, on every panel: looked at now and then, once for all pages of a
 * browser, and not while one of them follows its dashboard.
 */
export function watchPulse(governor: Governor): void {
  let node: string | null = null
  const look = async (signal: AbortSignal): Promise<Look | null> => {
    if (governor.isStressTold) return null
    node ??= await ownNode(governor, signal)
    return {
      hasCredits: await hasCredits(governor, signal),
      machinePercents: await machinePercents(governor, node, signal),
    }
  }
  governor.repeatShared('cpuCredits', 'CPU of the machine', look, {
    everyMs: EVERY_MS,
    costMs: () => (governor.isStressTold ? 0 : COST_MS),
    onAnswer: (answer) => governor.setStress('pulse', answer === null ? undefined : stressOf(answer)),
    onError: () => {
      node = null
      governor.setStress('pulse', undefined)
    },
  })
}

function stressOf({ machinePercents, hasCredits }: Look): string | null {
  if (!hasCredits) return 'The machine’s CPU credits are nearly used up'
  const least = Math.min(...machinePercents)
  return machinePercents.length >= FRAMES && least >= BUSY_PERCENT
    ? `The machine has no CPU to spare (${Math.round(least)} %)`
    : null
}

async function ownNode(governor: Governor, signal: AbortSignal): Promise<string> {
  const topology = asObject(await governor.json('clusterTopology', {}, { signal, priority: 'poll' }), '$')
  // A server that belongs to no cluster yet has the tag `?`.
  return typeof topology['NodeTag'] === 'string' && topology['NodeTag'] !== '' ? topology['NodeTag'] : '?'
}

/** True where the machine has none, or more than the server needs to do all its work. */
async function hasCredits(governor: Governor, signal: AbortSignal): Promise<boolean> {
  let answer: JsonObject
  try {
    answer = asObject(await governor.json('cpuCredits', {}, { signal, priority: 'poll' }), '$')
  } catch (thrown) {
    if (asRavenError(thrown, '').kind === 'refused') return true
    throw thrown
  }
  if (answer['Used'] !== true) return true
  const of = (field: string): number => asNumber(answer[field], `$.${field}`)
  return of('RemainingCpuCredits') >= Math.max(of('BackgroundTasksThreshold'), of('FailoverThreshold'))
}

/** Empty where it cannot be had. */
function machinePercents(governor: Governor, node: string, signal: AbortSignal): Promise<readonly number[]> {
  const { env } = governor
  const percents: number[] = []
  let socket: SocketControl | null = null
  return new Promise((done) => {
    const timer = env.setTimeout(end, PATIENCE_MS)
    function end(): void {
      signal.removeEventListener('abort', end)
      env.clearTimeout(timer)
      socket?.close()
      done(percents)
    }
    signal.addEventListener('abort', end)
    socket = governor.openSocket(
      'clusterDashboard',
      { node },
      {
        onPhase: ({ phase }) => {
          if (phase === 'open') socket?.send(WATCH_CPU)
          else if (phase === 'waiting' || phase === 'refused') end()
        },
        onFrame: (text) => {
          try {
            const percent = readPercent(text)
            if (percent === null || percents.push(percent) < FRAMES) return
          } catch {
            // What cannot be read is not known.
          }
          end()
        },
      },
    )
  })
}

/** Null: the frame is of something else. */
function readPercent(text: string): number | null {
  const data = asObject(asObject(JSON.parse(text), '$')['Data'], '$.Data')
  return data['Type'] === 'CpuUsage' ? asNumber(data['MachineCpuUsage'], '$.Data.MachineCpuUsage') : null
}
