import { formatPlural } from '../../base/text/format.ts'
import {
  DATABASE_QUESTIONS,
  SERVER_QUESTIONS,
  type DatabaseAnswers,
  type OwnAnswers,
} from '../../ravendb/answers/answers.ts'
import { ABSENT, valueOf } from '../../ravendb/entry-names.ts'
import type { PackageFinding, PackageTriage } from '../../features/package/contract.ts'
import type { AnsweredServer } from '../../features/package/data/packages.ts'
import { ANSWER_RULES } from '../../features/triage/data/answer-rules.ts'
import { worstFirst, type Found } from '../../features/triage/data/judge.ts'
import { listedRule, type Finding, type TriageFacts, type TriageRule } from '../../features/triage/data/facts.ts'
import { exceptSome, NO_DATABASE, whyNot } from '../../features/triage/data/rules/answers/helpers.ts'
import { toDatabase, toServer } from '../../features/triage/data/rules/helpers.ts'
import { TRIAGE_RULES } from '../../features/triage/data/triage-rules.ts'
import { differencesOf } from './package-differences.ts'
import { factsOfPackaged } from './package-facts.ts'

/** Rules of a live server that can be judged from one moment, and the answer that shows it. */
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
  certificates: 'A package does not have the certificates.',
}

const RULES: readonly TriageRule[] = [
  ...TRIAGE_RULES.filter(({ rule }) => rule in BY_A_MOMENT),
  ...ANSWER_RULES.filter(({ rule }) => !(rule in NEEDS_MORE)),
]
/** Every rule of a live server, as far as it has one for a package, and those for packages. */
const ALL_RULES: readonly TriageRule[] = [...TRIAGE_RULES, ...ANSWER_RULES]
/** First major version whose packages have the notifications of databases. */
const WITH_NOTICES = 7
const MOST_FINDINGS = 100
/** Panels that show the servers of a package. */
const OF_SERVER: ReadonlySet<string> = new Set(['server', 'cluster'])
const NOT_IN_PACKAGE = 'It is not in this package.'

type Unjudged = PackageTriage['unknown'][number]

interface Judged {
  readonly server: AnsweredServer
  readonly found: readonly Found[]
  readonly unknown: readonly Unjudged[]
}

function judge(server: AnsweredServer): Judged {
  const facts = factsOfPackaged(server)
  const unknown: Unjudged[] = []
  const found = RULES.flatMap((rule) => {
    const note = (why: string, isLack = true): void =>
      void unknown.push({ rule: rule.rule, title: rule.title, why, isLack })
    const limit = rule.rule === 'server-alerts' ? limitOfAlerts(server) : null
    const unjudged = missing(server, rule.rule) ?? rule.unknown(facts)
    if (unjudged !== null) {
      if (limit === null) note(typeof unjudged === 'string' ? unjudged : NOT_IN_PACKAGE)
      else note(limit, false)
      return []
    }
    if (limit !== null) note(limit, false)
    for (const partly of [rule.partly?.(facts), partlyByAMoment(facts, rule.rule)]) if (partly != null) note(partly)
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
  if ('own' in by) return whyNot(own[by.own], SERVER_QUESTIONS[by.own].route)
  const answers = databases.map(({ answers: of }) => of[by.each])
  if (rule === 'database-faulted' || answers.some(({ kind }) => kind === 'answered')) return null
  const failed = answers.find((answer) => answer.kind === 'failed')
  return databases.length === 0 ? NO_DATABASE : whyNot(failed ?? ABSENT, DATABASE_QUESTIONS[by.each].route)
}

/** Returns why even a complete package lacks alerts that a live server shows. Null: this one lacks its own. */
function limitOfAlerts({ own, databases }: AnsweredServer): string | null {
  const major = Number.parseInt(valueOf(own.build)?.fullVersion ?? '', 10)
  if (major >= WITH_NOTICES || databases.some(({ answers }) => answers.notices.kind !== 'absent'))
    return databases.some(({ answers }) => answers.notices.kind === 'answered')
      ? 'A package has the alerts of databases, and none of the server itself.'
      : null
  return Number.isNaN(major) ? null : `Packages of RavenDB ${String(major)} do not have alerts.`
}

/** Names the databases of which a rule of a live server lacks its response. Null: none, or the rule is no such rule. */
function partlyByAMoment(facts: TriageFacts, rule: string): string | null {
  const by = BY_A_MOMENT[rule]
  if (by === undefined || 'own' in by) return null
  return rule === 'database-faulted' ? withRecordAlone(facts) : exceptSome(by.each)(facts)
}

/** Names the databases of which there is no response, neither one that failed, although they are not disabled. */
function withRecordAlone({ answers }: TriageFacts): string | null {
  const names = (answers?.databases ?? []).flatMap(({ name, answers: { record, ...of } }) =>
    valueOf(record)?.isDisabled !== true && Object.values(of).every(({ kind }) => kind === 'absent')
      ? [`“${name}”`]
      : [],
  )
  return names.length === 0 ? null : `There is nothing but the record of ${names.join(', ')}.`
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
  const { actsOn, errorsOf, about = '', link, database: named } = finding
  const source = link.sources[0]?.slice('db:'.length)
  const candidates = new Set([named, actsOn?.database, errorsOf?.database, source, about])
  const database = databases.find(({ name }) => candidates.has(name))
  const answer = database?.answers[by.each]
  return {
    ...(database === undefined ? {} : { database: database.name }),
    ...(answer === undefined || answer.kind === 'absent' ? {} : { entry: answer.entry }),
  }
}

/** Judges all servers of a package: worst first, with the node if there are several, and their differences. */
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
      ...ALL_RULES.flatMap(({ rule, title }) => {
        const why = NEEDS_MORE[rule]
        return why === undefined ? [] : [{ rule, title, why, isLack: false }]
      }),
    ].map((each) => [`${each.rule} ${each.why}`, each]),
  )
  const unjudged = new Set(judged.flatMap((each) => each.unknown.map(({ rule }) => rule)))
  const total = RULES.length + Object.keys(NEEDS_MORE).length
  const judgedCount = RULES.length - unjudged.size
  const isCut = servers.some((server) => server.isCut)
  const lacking = new Set([...unknown.values()].flatMap(({ rule, isLack }) => (isLack ? [rule] : []))).size
  return {
    sentence: sentenceOf(findings, servers, { judged: judgedCount, total, lacking }),
    // Missing entries may be those that would show the trouble.
    isCalm: lacking === 0 && !isCut && findings.every(({ level }) => level === 'info'),
    findings: findings.slice(0, MOST_FINDINGS),
    more: Math.max(0, findings.length - MOST_FINDINGS),
    judged: judgedCount,
    unknown: [...unknown.values()],
    rules: RULES.map(listedRule),
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
  { judged, total, lacking }: { readonly judged: number; readonly total: number; readonly lacking: number },
): string {
  const issues = findings.filter(({ level }) => level !== 'info')
  const [first] = issues
  if (first !== undefined)
    return issues.length === 1 ? first.title : `${first.title} ${formatPlural(issues.length - 1, 'more issue')}.`
  if (judged === 0) return 'Nothing in this package could be judged.'
  const names = new Set(servers.flatMap(({ databases }) => databases.map(({ name }) => name)))
  const noted = findings.length === 0 ? '' : ` ${formatPlural(findings.length, 'finding')} for information.`
  const content = names.size === 0 ? 'no database is in the package' : contentOf(servers, names)
  const [one] = servers
  const cut = one?.isCut === true ? ', but the package is cut' : ''
  const unjudged =
    lacking === 0
      ? ''
      : `, ${cut === '' ? 'but' : 'and'} ${formatPlural(lacking, 'check')} ${lacking === 1 ? 'lacks' : 'lack'} entries`
  return `No issues found by ${judged} of ${total} checks${cut}${unjudged}: ${content}.${noted}`
}

/** Counts databases, and their documents as far as they are known. */
function contentOf(servers: readonly AnsweredServer[], names: ReadonlySet<string>): string {
  const counts = new Map<string, number>()
  for (const { name, answers } of servers.flatMap(({ databases }) => databases)) {
    const documents = valueOf(answers.counts)?.documents ?? null
    if (documents !== null) counts.set(name, Math.max(counts.get(name) ?? 0, documents))
  }
  const total = [...counts.values()].reduce((sum, each) => sum + each, 0)
  const least = counts.size < names.size ? 'at least ' : ''
  return counts.size === 0
    ? formatPlural(names.size, 'database')
    : `${formatPlural(names.size, 'database')}, ${least}${formatPlural(total, 'document')}`
}
