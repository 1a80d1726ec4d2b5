import fc from 'fast-check'
import { test } from 'vitest'
import { isGate } from './gate.ts'

type Arbitraries<Drawn extends readonly unknown[]> = { readonly [At in keyof Drawn]: fc.Arbitrary<Drawn[At]> }
type Holds<Drawn extends readonly unknown[]> = (...drawn: Drawn) => void | Promise<void>

interface LawOptions extends Pick<fc.Parameters, 'numRuns' | 'seed' | 'endOnFailure'> {
  /** Time limit of all runs together; by default that of a test. */
  readonly timeoutMs?: number
}

/** Runs of the gate: each draws others, and the whole run draws as many as a law names, or a hundred. */
const GATE_RUNS = 10

/** A test of what holds for everything that is drawn: `law('sorting keeps all', [fc.array(fc.nat())], (numbers) => …)`. */
export function law<const Drawn extends readonly [unknown, ...unknown[]]>(
  name: string,
  arbitraries: Arbitraries<Drawn>,
  ...rest: [holds: Holds<Drawn>] | [options: LawOptions, holds: Holds<Drawn>]
): void {
  const [{ timeoutMs, ...options }, holds] = rest.length === 1 ? [{} as LawOptions, rest[0]] : rest
  const all = fc.tuple<unknown[]>(...arbitraries) as unknown as fc.Arbitrary<Drawn>
  const property = fc.asyncProperty(all, async (drawn) => holds(...drawn))
  // oxlint-disable-next-line vitest/expect-expect -- `holds` expects
  test(`law: ${name}`, () => fc.assert(property, isGate ? fewer(options) : options), timeoutMs)
}

const fewer = <Options extends LawOptions>(options: Options): Options => ({
  ...options,
  numRuns: Math.min(GATE_RUNS, options.numRuns ?? GATE_RUNS),
})
