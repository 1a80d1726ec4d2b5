import { FrameRules } from './rules/frame-rules.ts'
import type { FrameTable } from './frames.ts'
import type { NameRule } from './rules/job-rules.ts'
import { COMM_LENGTH, NAME_RULES, STACK_RULES } from './rules/job-rules.ts'
import type { FrameId, JobKey } from '../contract/ids.ts'
import type { Job } from '../contract/jobs.ts'

const stackRules = new FrameRules(STACK_RULES)

/** Rules with little information, so that a more specific stack takes precedence. */
const BY_STACK: ReadonlySet<string> = new Set(['pool', 'raven-pool'])

/** Finds the rule in `NAME_RULES` for a name, for the tests of the rules; null: none. */
export function nameRuleOf(name: string): NameRule | null {
  return NAME_RULES.find((rule) => fits(rule, name)) ?? null
}

function fits({ pattern, fixed = [] }: NameRule, name: string): boolean {
  return pattern?.test(name) === true || fixed.some((whole) => whole === name || isCutOf(name, whole))
}

/** Whether a name is another one cut by Linux to 15 characters; trimming then removes a blank at the end. */
const isCutOf = (name: string, whole: string): boolean =>
  whole.length > COMM_LENGTH && name === whole.slice(0, COMM_LENGTH).trimEnd()

/** Job of a thread by its trimmed name; null: no rule matches. */
export function jobOfName(name: string): Job | null {
  const rule = nameRuleOf(name)
  if (rule === null) return null
  const groups = rule.pattern?.exec(name)?.groups
  const database = groups?.['db'] ?? null
  const own = groups?.['name']?.trim() ?? ''
  const isShort = rule.id.endsWith('-short') || rule.id.endsWith('-cut')
  // Trimming may have removed a blank at the end of the 15 characters.
  const isCut = isShort && (name.length === COMM_LENGTH || name.length === COMM_LENGTH - 1)
  return job(rule, database, own === '' ? null : own, isCut)
}

function job(
  rule: { readonly id: string; readonly kind: Job['kind']; readonly label: string },
  database: string | null,
  name: string | null,
  isCut: boolean,
): Job {
  const parts = [database, name].filter((part) => part !== null)
  // Threads of a kind share a job, unless the kind works for a database or a name, each of which has a job.
  const group = parts.length > 0 ? rule.kind : rule.id.includes(':') ? rule.id : groupOf(rule)
  const key = parts.length === 0 ? group : `${group}:${parts.join('/')}${isCut ? '…' : ''}`
  return { key, kind: rule.kind, label: name === null ? rule.label : `${rule.label} ${name}`, database, name, isCut }
}

const groupOf = ({ id, kind }: { readonly id: string; readonly kind: Job['kind'] }): string =>
  id === kind ? kind : `${kind}:${id}`

export const unrecognised = (name: string): Job => ({
  key: `unrecognised:${name}`,
  kind: 'unrecognised',
  label: name === '' ? 'No name' : name,
  database: null,
  name: null,
  isCut: false,
})

/**
 * Jobs by name, cached, since the same few hundred names come with every snapshot. Beyond `MAX_JOBS` different jobs,
 * later ones share a job for each kind.
 */
export class JobsByName {
  readonly #known = new Map<string, { readonly job: Job; readonly byStack: boolean }>()
  readonly #keys = new Set<JobKey>()

  /**
   * Job of a thread. `path`: its frames, innermost first; null: no stack. A pool thread, or one without a specific
   * name, works for the caller on its stack. Unrecognised work is reported as such, not guessed.
   */
  of(name: string, frames: FrameTable, path: Iterable<FrameId> | null): Job {
    const known = this.#named(name)
    if (!known.byStack || path === null) return known.job
    for (const frame of path) {
      const rule = stackRules.rule(stackRules.of(frames, frame))
      if (rule !== undefined) return job(rule, null, null, false)
    }
    return known.job
  }

  #named(name: string): { readonly job: Job; readonly byStack: boolean } {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    if (this.#known.size >= MAX_NAMES) this.#known.clear()
    const named = jobOfName(name)
    const fresh = {
      job: this.#limited(named ?? unrecognised(name)),
      byStack: named === null || BY_STACK.has(nameRuleOf(name)?.id ?? ''),
    }
    this.#known.set(name, fresh)
    return fresh
  }

  #limited(job: Job): Job {
    // Without a database or a name there is one job for each rule.
    const isOne = job.kind !== 'unrecognised' && job.database === null && job.name === null
    if (!isOne && !this.#keys.has(job.key)) {
      if (this.#keys.size >= MAX_JOBS) return othersOf(job)
      this.#keys.add(job.key)
    }
    return job
  }
}

const othersOf = ({ kind, label, name }: Job): Job => ({
  key: `${kind}…`,
  kind,
  label:
    kind === 'unrecognised' ? 'Other names' : `${name === null ? label : label.slice(0, -name.length - 1)}, others`,
  database: null,
  name: null,
  isCut: false,
})

const MAX_NAMES = 20_000
/**
 * Maximum number of jobs in a list: its cost for the page grows with their number; 10,000 took 70 ms of the main
 * thread.
 */
export const MAX_JOBS = 2000
