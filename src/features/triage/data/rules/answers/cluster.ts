import { formatCount, formatPlural } from '../../../../../base/text/format.ts'
import { TICKS_PER_MS } from '../../../../../base/ticks.ts'
import { readTopologyNotes } from '../../../../../ravendb/answers/server-answers.ts'
import { MINUTE_MS, sentence, span, toCluster } from '../helpers.ts'
import type { Finding, TriageFacts, TriageRule } from '../../facts.ts'
import { answeredAt, ofOwn, someOf, unlessOwn } from './helpers.ts'

/* Rules on single responses of a server about its cluster. */

const UNCOMMITTED_LEAST = 5
const UNCOMMITTED_MANY = 128
/** Share of waiting entries among the kept ones from which on the log lags. */
const UNCOMMITTED_SHARE = 0.05
const UNCOMMITTED_MUCH = 0.3
const STALLED_MS = 2 * MINUTE_MS

export const clusterLogStalled: TriageRule = {
  rule: 'cluster-log',
  title: 'The cluster log does not get on',
  reason:
    'Changes of databases, indexes and tasks go through the log of the cluster. While it stalls none takes effect; compare exchange and identities wait, too.',
  when: `Reported when ${UNCOMMITTED_LEAST} entries wait and none was committed for 2 minutes, when more than ${UNCOMMITTED_MANY} or ${UNCOMMITTED_MUCH * 100} % of those that are kept wait, as info when as many as ${UNCOMMITTED_SHARE * 100} % of those that are kept do, and when the log has a critical error.`,
  unknown: unlessOwn('log'),
  find: (facts) =>
    ofOwn(facts, 'log', ({ criticalError, firstIndex, lastIndex, commitIndex, lastCommittedTicks }) => {
      const waiting = lastIndex - commitIndex
      const quietMs = lastCommittedTicks === null ? 0 : (answeredAt(facts) - lastCommittedTicks) / TICKS_PER_MS
      const isStalled = waiting >= UNCOMMITTED_LEAST && quietMs > STALLED_MS
      const waitingShare = waiting < UNCOMMITTED_LEAST ? 0 : waiting / Math.max(1, lastIndex - firstIndex + 1)
      const isMany = waiting > UNCOMMITTED_MANY || waitingShare > UNCOMMITTED_MUCH
      const link = toCluster
      return [
        ...(criticalError === null
          ? []
          : [
              {
                about: 'broken',
                level: 'critical' as const,
                weight: 0.95,
                title: 'The cluster log stopped with a critical error.',
                evidence: [sentence(criticalError)],
                link,
              },
            ]),
        ...(!isStalled && !isMany && waitingShare <= UNCOMMITTED_SHARE
          ? []
          : [
              {
                about: 'stalled',
                level: isStalled ? ('critical' as const) : isMany ? ('warning' as const) : ('info' as const),
                weight: 0.85,
                title: isStalled
                  ? `The cluster log has stalled for ${span(quietMs)}.`
                  : `${formatPlural(waiting, 'entry', 'entries')} of the cluster log wait.`,
                evidence: [
                  `${formatPlural(waiting, 'entry', 'entries')} behind ${formatCount(commitIndex)} are not committed.`,
                ],
                link,
              },
            ]),
      ]
    }),
}

export const observerSuspended: TriageRule = {
  rule: 'observer',
  title: 'The cluster observer is suspended',
  reason: 'While it is, no node of a database is replaced or taken out when it fails. A user suspended it.',
  unknown: unlessOwn('observer'),
  find: (facts) =>
    ofOwn(facts, 'observer', ({ isSuspended }): Finding[] =>
      isSuspended
        ? [
            {
              level: 'warning',
              weight: 0.5,
              title: 'The cluster observer is suspended.',
              evidence: [],
              link: toCluster,
            },
          ]
        : [],
    ),
}

const PING_SLOW_MS = 2000
const PING_VERY_SLOW_MS = 5000
const PING_LATE = 1.1

const ELECTION_KEY = 'Cluster.ElectionTimeoutInMs'
/** Default election timeout of the server, ms. */
const ELECTION_MS = 300

/** Configured election timeout. Null: it is at its default, or the settings are not known. */
function electionTimeoutMs({ answers }: TriageFacts): number | null {
  const ms = Number(answers?.settings?.get(ELECTION_KEY)?.value)
  return ms > 0 && ms !== ELECTION_MS ? ms : null
}

export const slowPing: TriageRule = {
  rule: 'node-ping',
  title: 'A node answers slowly, or not at all',
  reason:
    'A node that answers later than the election timeout (300 ms by default) loses its leader, and elections stop the cluster log.',
  when: 'Reported from 2 s on, as info from a tenth above the election timeout on; the time includes setting up the connection.',
  unknown: unlessOwn('pings'),
  find: (facts) =>
    ofOwn(facts, 'pings', (pings) => {
      const start = facts.answers?.own.start
      const own = new Set([
        start?.kind === 'answered' ? start.value.url : null,
        facts.cluster.nodes.find(({ isOwn }) => isOwn)?.url,
      ])
      const timeoutMs = electionTimeoutMs(facts) ?? ELECTION_MS
      return pings
        .filter(({ url }) => !own.has(url))
        .flatMap(({ url, ms, error }): Finding[] => {
          const isSlow = error !== null || (ms ?? 0) > PING_SLOW_MS
          if (!isSlow && (ms ?? 0) <= timeoutMs * PING_LATE) return []
          return [
            {
              about: url,
              level: isSlow ? 'warning' : 'info',
              weight: error !== null ? 0.8 : (ms ?? 0) > PING_VERY_SLOW_MS ? 0.7 : 0.5,
              title: error === null ? `${url} answered after ${span(ms ?? 0)}.` : `${url} does not answer the server.`,
              evidence:
                error === null
                  ? [
                      facts.answers?.settings == null
                        ? `The default election timeout is ${span(timeoutMs)}; the settings are not known.`
                        : `The election timeout is ${span(timeoutMs)}.`,
                    ]
                  : someOf([sentence(error)]),
              link: toCluster,
            },
          ]
        })
    }),
}

export const nodePromotable: TriageRule = {
  rule: 'node-promotable',
  title: 'A node of the cluster has no vote yet',
  reason: 'A promotable node catches up with the cluster log. Until it is a member it counts for no majority.',
  unknown: unlessOwn('topology'),
  find: (facts) =>
    ofOwn(facts, 'topology', (): Finding[] =>
      facts.cluster.nodes
        .filter(({ type }) => type === 'Promotable')
        .map(({ tag, url }) => ({
          about: tag,
          level: 'info',
          weight: 0.2,
          title: `Node ${tag} is promotable: it catches up with the others.`,
          evidence: [url],
          link: toCluster,
        })),
    ),
}

/** Role of the node itself, and errors of its cluster, as the topology reports them. */
export const nodeRole: TriageRule = {
  rule: 'node-role',
  title: 'The node is not a full member of its cluster',
  reason: 'A node in rehab was out of reach, and catches up; what it answers may be old.',
  unknown: unlessOwn('topology'),
  find: (facts) =>
    ofOwn(facts, 'topology', (body): Finding[] => {
      const { role, errors } = readTopologyNotes(body)
      return [
        ...(role === 'Rehab'
          ? [
              {
                about: 'rehab',
                level: 'warning' as const,
                weight: 0.6,
                title: 'The node is in rehab: it catches up with the others.',
                evidence: [],
                link: toCluster,
              },
            ]
          : []),
        ...errors.map((error): Finding => ({
          about: error,
          level: 'warning',
          weight: 0.5,
          title: sentence(error),
          evidence: ['An error that the topology of the cluster lists.'],
          link: toCluster,
        })),
      ]
    }),
}

export const electionTimeout: TriageRule = {
  rule: 'election-timeout',
  title: 'The election timeout was changed',
  reason: 'Shorter, a busy network costs elections; longer, the cluster is without a leader for longer after a loss.',
  unknown: ({ answers }) =>
    answers === null ? 'It was not requested.' : answers.settings === null ? 'The settings are not known.' : null,
  find: (facts) => {
    const ms = electionTimeoutMs(facts)
    if (ms === null) return []
    return [
      {
        level: 'info',
        weight: 0.1,
        title: `The election timeout of the cluster is ${span(ms)}.`,
        evidence: [`The default is ${span(ELECTION_MS)}.`],
        link: toCluster,
      },
    ]
  },
}
