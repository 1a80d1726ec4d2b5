/** Steps that a server has taken to load a database, from its response to a request that waited in vain. */
export interface LoadLog {
  /** How long that request waited, in the server's form: `00:00:30`; null: not reported. */
  readonly waited: string | null
  /** In the order in which they began; the last one is still running. */
  readonly steps: readonly LoadStep[]
}

export interface LoadStep {
  /** Local time of the server in whole seconds, read as UTC (ms since 1970): for differences only. */
  readonly atMs: number
  /** In the server's words: `Recovering journal 4 (up to last journal 5)`. */
  readonly words: string
}

/** `[Load Database] 11/20/2026 12:29:37 :: Database 'orders' : Initializing DocumentStorage` */
const LINE = /^\[Load Database\] (\d\d)\/(\d\d)\/(\d{4}) (\d\d):(\d\d):(\d\d) :: Database '.*?' : (.+)$/
const WAITED = / after ([\d:.]+) is still loading/

/** Reads the message of a `DatabaseLoadTimeoutException` (7.1.5, 6.2.4, 5.4.207); null: it contains no log. */
export function readLoadLog(message: string): LoadLog | null {
  const steps = message.split('\n').flatMap((line): LoadStep[] => {
    const found = LINE.exec(line.trim())
    if (found === null) return []
    const [month, day, year, hour, minute, second] = found.slice(1, 7).map(Number) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    return [{ atMs: Date.UTC(year, month - 1, day, hour, minute, second), words: found[7] ?? '' }]
  })
  return steps.length === 0 ? null : { waited: WAITED.exec(message)?.[1] ?? null, steps }
}

/** Describes the current step in a sentence. */
export function describeLoadLog({ steps }: LoadLog): string {
  const [first, last] = [steps[0], steps.at(-1)]
  if (first === undefined || last === undefined) return ''
  const seconds = Math.round((last.atMs - first.atMs) / 1000)
  const after = seconds > 0 ? `, begun ${String(seconds)} s after the load` : ''
  return `It is at “${last.words}”${after}.`
}
