import type { TimingNode } from '../contract.ts'

/** A step of two runs. Its ms are null for a run without that step. */
export interface ComparedStep {
  /** Names from the root, joined by `/`. */
  readonly path: string
  readonly name: string
  readonly depth: number
  readonly now: number | null
  readonly before: number | null
}

/** Matches the steps of two runs by path, in the order of `now`; steps that only `before` has follow their siblings. */
export function compareTimings(now: TimingNode, before: TimingNode): readonly ComparedStep[] {
  const steps: ComparedStep[] = []
  const join = (a: TimingNode | null, b: TimingNode | null, parent: string, depth: number): void => {
    const name = (a ?? b)?.name ?? ''
    const path = `${parent}/${name}`
    steps.push({ path, name, depth, now: a?.ms ?? null, before: b?.ms ?? null })
    const left = b === null ? [] : [...b.parts]
    for (const part of a?.parts ?? []) {
      const at = left.findIndex((each) => each.name === part.name)
      const [same = null] = at < 0 ? [] : left.splice(at, 1)
      join(part, same, path, depth + 1)
    }
    for (const part of left) join(null, part, path, depth + 1)
  }
  join(now, before, '', 0)
  return steps
}
