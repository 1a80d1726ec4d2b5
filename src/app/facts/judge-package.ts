import { formatCount, formatPlural } from '../../base/text/format.ts'
import type { DatabaseAnswers, OwnAnswers } from '../../ravendb/answers/answers.ts'
import { valueOf } from '../../ravendb/entry-names.ts'
import type { PackageFinding, PackageTriage } from '../../features/package/contract.ts'
import type { AnsweredServer } from '../../features/package/data/packages.ts'
import { ANSWER_RULES } from '../../features/triage/data/answer-rules.ts'
import { worstFirst, type Found } from '../../features/triage/data/judge.ts'
import type { Finding, TriageRule } from '../../features/triage/data/facts.ts'
import { toDatabase, toServer } from '../../features/triage/data/rules/helpers.ts'
import { TRIAGE_RULES } from '../../features/triage/data/triage-rules.ts'
import { differencesOf } from './package-differences.ts'
import { factsOfPackaged } from './package-facts.ts'

/**
 * Rules of a live server that can be judged from one moment, and the answer of a database or the server that shows it.
 */
const BY_A_MOMENT: Readonly<
  Record<string, { readonly own: keyof OwnAnswers } | { readonly each: keyof DatabaseAnswers }>
> = {
  'database-faulted': { each: 'counts' },
  'index-errored': { each: 'indexes' },
  'indexing-errors': { each: 'errors' },
  'index-trouble': { each: 'indexes' },
  'indexing-stopped': { each: 'indexes' },
  'long-queries': { each: 'queries' },
  'server-alerts': { each: 'notices' },
  'low-memory': { own: 'memory' },
  'cpu-credits': { own: 'credits' },
  'cluster-node': { own: 'topology' },
}

/** Why other rules cannot be judged. Rules that are not listed have a counterpart for one moment. */
const NEEDS_MORE: Readonly<Record<string, string>> = {
  'server-unresponsive': 'Only a live server shows it.',
  'server-was-unresponsive': 'Only a live server shows it.',
  'database-loading': 'Only a live server shows it.',
  restart: 'The package has the last start only.',
  'clock-jump': 'Only a live server shows it.',
  'server-replaced': 'Only a live server shows it.',
  'cpu-busy': 'It is judged over minutes, and a package has one moment.',
  'dirty-memory': 'It is judged over time, and a package has one moment.',
  'slow-writes': 'The panels I/O and Stalls show the writes that the package has.',
  'held-up-commits': 'The panel Stalls judges the writes that the package has.',
  'disk-full': 'A package does not have the free space of disks.',
  'disk-queue': 'A package does not have the queues of disks.',
  licence: 'A package does not have the licence.',
}

const RULES: readonly TriageRule[] = [...TRIAGE_RULES.filter(({ rule }) => rule in BY_A_MOMENT), ...ANSWER_RULES]
const MOST_FINDINGS = 100
/** Panels that show the servers of a package. */
const OF_SERVER: ReadonlySet<string> = new Set(['server', 'cluster'])
const NOT_IN_PACKAGE = 'It is not in this package.'

interface Judged {
  readonly server: AnsweredServer
  readonly found: readonly Found[]
  readonly unknown: readonly PackageTriage['unknown'][number][]
}

function judge(server: AnsweredServer): Judged {
  const facts = factsOfPackaged(server)
  const unknown: PackageTriage['unknown'][number][] = []
  const found = RULES.flatMap((rule) => {
    const unjudged = missing(server, rule.rule) ?? rule.unknown(facts)
    if (unjudged !== null) {
      const why = typeof unjudged === 'string' ? unjudged : NOT_IN_PACKAGE
      unknown.push({ rule: rule.rule, title: rule.title, why })
      return []
    }
    const partly = rule.partly?.(facts) ?? null
    if (partly !== null) unknown.push({ rule: rule.rule, title: rule.title, why: partly })
    return rule
      .find(facts)
      .map((finding) => ({ rule, finding: { ...originOf(server, rule.rule, finding), ...finding } }))
  })
  return { server, found, unknown }
}

/** Why the answer is missing that a rule of a live server needs; null: it exists, at least for some databases. */
function missing({ own, databases }: AnsweredServer, rule: string): string | null {
  const by = BY_A_MOMENT[rule]
  if (by === undefined) return null
  const answers = 'own' in by ? [own[by.own]] : databases.map(({ answers: of }) => of[by.each])
  if (rule === 'database-faulted' || answers.some(({ kind }) => kind === 'answered')) return null
  const failed = answers.find((answer) => answer.kind === 'failed')
  return failed?.kind === 'failed' ? failed.message : NOT_IN_PACKAGE
}

/** Database of a finding of a live rule, and the entry that shows it. */
function originOf(
  { own, databases }: AnsweredServer,
  rule: string,
  finding: Finding,
): Pick<Finding, 'entry' | 'database'> {
  const by = BY_A_MOMENT[rule]
  if (by === undefined) return {}
  if ('own' in by) {
    const answer = own[by.own]
    return answer.kind === 'absent' ? {} : { entry: answer.entry }
  }
  const { actsOn, errorsOf, about = '', link } = finding
  const source = link.sources[0]?.slice('db:'.length)
  const shown = link.params['server.show'] ?? ''
  const candidates = new Set([actsOn?.database, errorsOf?.database, source, about, shown.split('/')[0]])
  const database = databases.find(({ name }) => candidates.has(name))
  const answer = database?.answers[by.each]
  return {
    ...(database === undefined ? {} : { database: database.name }),
    ...(answer === undefined || answer.kind === 'absent' ? {} : { entry: answer.entry }),
  }
}

/**
 * Judges all servers of a package: worst first, with the node named if there are several, and with their differences.
 */
export function judgePackage(servers: readonly AnsweredServer[]): PackageTriage {
  const judged = servers.map(judge)
  const isCluster = servers.length > 1
  const labelOf = labelsOf(servers)
  const tags = new Map(
    judged.flatMap(({ server, found }) => found.map((each) => [each.finding, labelOf(server)] as const)),
  )
  const all = worstFirst([...judged.flatMap(({ found }) => found), ...differencesOf(servers)])
  const findings = all.map(({ rule, finding }) =>
    toFinding(rule, finding, isCluster ? (tags.get(finding) ?? null) : null),
  )
  const unknown = new Map(
    [
      ...judged.flatMap((each) =>
        each.unknown.map((why) => ({
          ...why,
          why: isCluster ? `Node ${labelOf(each.server)}: ${why.why}` : why.why,
        })),
      ),
      ...TRIAGE_RULES.flatMap(({ rule, title }) => {
        const why = NEEDS_MORE[rule]
        return why === undefined ? [] : [{ rule, title, why }]
      }),
    ].map((each) => [`${each.rule} ${each.why}`, each]),
  )
  const unjudged = new Set(judged.flatMap((each) => each.unknown.map(({ rule }) => rule)))
  const total = RULES.length + Object.keys(NEEDS_MORE).length
  const judgedCount = RULES.length - unjudged.size
  return {
    sentence: sentenceOf(findings, servers, { judged: judgedCount, total }),
    isCalm: judgedCount > 0 && findings.every(({ level }) => level === 'info'),
    findings: findings.slice(0, MOST_FINDINGS),
    more: Math.max(0, findings.length - MOST_FINDINGS),
    judged: judgedCount,
    unknown: [...unknown.values()],
    rules: RULES.map(({ rule, title, reason, when }) => ({
      rule,
      title,
      reason: when === undefined ? reason : `${reason} ${when}`,
    })),
  }
}

/** Names servers by their tags, and by where they lie in the package, too, where several have one tag. */
function labelsOf(servers: readonly AnsweredServer[]): (server: AnsweredServer) => string {
  const isShared = (tag: string): boolean => servers.filter((each) => each.tag === tag).length > 1
  // A server at the top of the package has no path.
  return ({ tag, prefix }) =>
    tag === null ? prefix : isShared(tag) && prefix !== '' ? `${tag} (${prefix.replace(/\/$/, '')})` : tag
}

function toFinding({ rule, reason, quotes }: TriageRule, finding: Finding, node: string | null): PackageFinding {
  const { about = '', database = null, level, title, evidence, sinceTicks = null, link, entry = null } = finding
  return {
    id: [rule, about, database ?? '', node ?? ''].join('|'),
    rule,
    level,
    title: node === null ? title : `Node ${node}: ${title}`,
    reason: quotes === true ? null : reason,
    evidence,
    sinceTicks,
    sinceIsBound: false,
    // Links lead to the panels of the database or the server, which show everything in the package.
    link: database === null ? (OF_SERVER.has(link.panel) ? link : toServer('machine')) : toDatabase(database),
    entry,
    database,
    node,
  }
}

function sentenceOf(
  findings: readonly PackageFinding[],
  servers: readonly AnsweredServer[],
  { judged, total }: { readonly judged: number; readonly total: number },
): string {
  const issues = findings.filter(({ level }) => level !== 'info')
  const [first] = issues
  if (first !== undefined)
    return issues.length === 1 ? first.title : `${first.title} ${formatPlural(issues.length - 1, 'more issue')}.`
  if (judged === 0) return 'Nothing in this package could be judged.'
  const names = new Set(servers.flatMap(({ databases }) => databases.map(({ name }) => name)))
  const documents =
    servers[0]?.databases.reduce((sum, { answers }) => sum + (valueOf(answers.counts)?.documents ?? 0), 0) ?? 0
  const noted = findings.length === 0 ? '' : ` ${formatPlural(findings.length, 'finding')} for information.`
  const content =
    names.size === 0
      ? 'no database is in the package'
      : `${formatPlural(names.size, 'database')}, ${formatCount(documents)} documents`
  return `No issues found by ${judged} of ${total} checks: ${content}.${noted}`
}
