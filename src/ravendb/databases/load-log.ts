/** Steps of a server so far in loading a database, from its response to a request that waited without success. */
export interface LoadLog {
  /** How long that request waited, as the server writes it: `00:00:30`; null: not reported. */
  readonly waited: string | null
  /** In order of their beginning; the last one is still in progress. */
  readonly steps: readonly LoadStep[]
}

export interface LoadStep {
  /** By the clock of the server, in whole seconds: ms since 1970 as if it were UTC, good for differences. */
  readonly atMs: number
  /** In the server's words: `Recovering journal 4 (up to last journal 5)`. */
  readonly words: string
}

/** `[Load Database] 11/20/2026 12:29:37 :: Database 'orders' : Initializing DocumentStorage` */
const LINE = /^\[Load Database\] (\d\d)\/(\d\d)\/(\d{4}) (\d\d):(\d\d):(\d\d) :: Database '.*?' : (.+)$/
const WAITED = / after ([\d:.]+) is still loading/

/** The message of a `DatabaseLoadTimeoutException` (seen on 7.1.5, 6.2.4 and 5.4.207); null: there is no log in it. */
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

/** Where it is now, in a sentence. */
export function describeLoadLog({ steps }: LoadLog): string {
  const [first, last] = [steps[0], steps.at(-1)]
  if (first === undefined || last === undefined) return ''
  const seconds = Math.round((last.atMs - first.atMs) / 1000)
  const after = seconds > 0 ? `, begun ${String(seconds)} s after the load` : ''
  return `It is at “${last.words}”${after}.`
}
