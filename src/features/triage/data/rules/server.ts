import { formatCount, formatPlural } from '../../../../base/text/format.ts'
import { type Ticks, TICKS_PER_MS, type TimeRange } from '../../../../base/ticks.ts'
import type { Finding, TriageRule } from '../facts.ts'
import {
  MINUTE_MS,
  HOUR_MS,
  DAY_MS,
  toCluster,
  toDatabase,
  toServer,
  around,
  span,
  between,
  always,
  firstLine,
  sentence,
  arrived,
} from './helpers.ts'
import type { ServerAlert } from '../../../../feeds/server/contract.ts'

/* Rules on the server itself, its clock and its cluster. */

export const serverUnresponsive: TriageRule = {
  rule: 'server-unresponsive',
  title: 'The server is unresponsive',
  reason: 'Clients wait or fail. The process or its machine is stopped or in a long pause, or the network is cut.',
  when: 'Reported when the heartbeat was silent for 3 s and a request sent then was not answered within 2 s, while this page’s timers were on time and no other page of this browser received anything.',
  unknown: ({ now: { watch } }) =>
    watch.role === 'off' ? 'The server is not watched.' : arrived(watch.lastReceivedMs),
  find: ({ now: { watch }, nowMs, nowTicks }) => {
    if (watch.unresponsive === null) return []
    const { fromMs, requestedMs, isRefused } = watch.unresponsive
    const ticksOf = (ms: number): Ticks => (nowTicks - (nowMs - ms) * TICKS_PER_MS) as Ticks
    return [
      {
        level: 'critical',
        weight: 1,
        title: `The server has been unresponsive for ${span(nowMs - fromMs)}.`,
        past: 'The server was unresponsive.',
        evidence: [
          isRefused
            ? 'It cannot be reached: connections fail.'
            : `GET /build/version, sent ${span(nowMs - requestedMs)} ago, is not answered.`,
          ...(watch.message === '' ? [] : [watch.message]),
        ],
        sinceTicks: ticksOf(fromMs),
        link: toServer('machine'),
      },
    ]
  },
}

const NOT_NEWS = new Set(['LicenseManager_AGPL3'])

/** Text of an alert below its title, as the server sent it. */
const wordsOf = ({ message, database }: ServerAlert): readonly string[] => [
  ...(message === null ? [] : [message.slice(0, 300)]),
  ...(database === null ? [] : [`Database “${database}”.`]),
]

/** Page with an alert, and the database that keeps it. */
const placeOf = ({ id, database, isOfDatabase }: ServerAlert): Pick<Finding, 'link' | 'database'> =>
  isOfDatabase === true && database !== null
    ? { link: toDatabase(database), database }
    : { link: toServer('alerts', null, id) }

export const serverAlerts: TriageRule = {
  rule: 'server-alerts',
  title: 'The server raised alerts',
  reason:
    'They stay until a user dismisses them. Errors of the last day are a warning; the server’s warnings, and older alerts, are info. A missing licence is reported with the licence.',
  quotes: true,
  unknown: always,
  find: ({ alerts, failures, nowTicks }) => {
    // These alerts are reported as failed databases.
    const asFailures = new Set([...failures.values()].map(({ alertId }) => alertId))
    const reported = alerts.filter(
      (alert) =>
        !asFailures.has(alert.id) &&
        alert.severity !== 'Info' &&
        alert.severity !== 'Success' &&
        !NOT_NEWS.has(alert.kind ?? ''),
    )
    const dayAgo = nowTicks - DAY_MS * TICKS_PER_MS
    const isUrgent = (alert: (typeof reported)[number]): boolean =>
      alert.severity === 'Error' && (alert.createdTicks ?? nowTicks) >= dayAgo
    const urgent = reported.filter(isUrgent)
    const rest = reported.filter((alert) => !isUrgent(alert))
    const newest = rest[0]
    return [
      ...urgent.map((alert): Finding =>
        Object.assign(placeOf(alert), {
          about: alert.id,
          level: 'warning' as const,
          weight: 0.6,
          title: sentence(alert.title),
          evidence: wordsOf(alert),
          sinceTicks: alert.createdTicks,
        }),
      ),
      ...(newest === undefined
        ? []
        : [
            {
              about: 'rest',
              level: 'info' as const,
              weight: 0.2,
              title:
                rest.length === 1 ? sentence(newest.title) : `The server raised ${formatPlural(rest.length, 'alert')}.`,
              evidence: rest.length === 1 ? wordsOf(newest) : rest.slice(0, 3).map((alert) => sentence(alert.title)),
              sinceTicks: newest.createdTicks,
              ...placeOf(newest),
            },
          ]),
    ]
  },
}

export const serverWasUnresponsive: TriageRule = {
  rule: 'server-was-unresponsive',
  title: 'The server was unresponsive',
  reason: 'Its process or machine was stopped, in a long pause, or out of reach; clients waited.',
  when: 'Reported for 10 minutes, on the evidence of an unanswered request.',
  unknown: always,
  find: ({ silences, nowTicks, now: { watch } }) => {
    const newest = silences.at(-1)
    // While the server is unresponsive now, another rule reports that.
    if (newest === undefined || watch.unresponsive !== null) return []
    const ms = (silence: TimeRange): number => (silence.endTicks - silence.startTicks) / TICKS_PER_MS
    const longestMs = Math.max(...silences.map(ms))
    return [
      {
        level: 'warning',
        weight: between(longestMs, 0, MINUTE_MS),
        title: `The server was unresponsive for ${span(ms(newest))}, ${span((nowTicks - newest.endTicks) / TICKS_PER_MS)} ago.`,
        past: 'The server was unresponsive.',
        evidence: [
          'It sent nothing, and a request was not answered.',
          ...(silences.length > 1
            ? [`${formatCount(silences.length)} times within 10 minutes, the longest ${span(longestMs)}.`]
            : []),
        ],
        sinceTicks: newest.startTicks,
        link: toServer('machine', around(newest.startTicks), 'Gaps'),
      },
    ]
  },
}

export const restartSeen: TriageRule = {
  rule: 'restart',
  title: 'The server was restarted',
  reason: 'A user, the system or a crash caused it. Caches are cold and databases load again.',
  when: 'Reported for an hour after a start that this page noticed; two in an hour are a warning.',
  unknown: ({ now }) => arrived(now.server.startTicks, 'No start time received yet.'),
  find: ({ now: { server }, nowTicks }) => {
    const lately = server.restarts.filter(
      (restart) => restart.seen && nowTicks - restart.startTicks < HOUR_MS * TICKS_PER_MS,
    )
    const newest = lately[0]
    if (newest === undefined) return []
    return [
      {
        level: lately.length > 1 ? 'warning' : 'info',
        weight: 0.5,
        title:
          lately.length > 1
            ? `The server was restarted ${formatCount(lately.length)} times within an hour.`
            : `The server was restarted ${span((nowTicks - newest.startTicks) / TICKS_PER_MS)} ago.`,
        evidence: ['It reports a different start time than in the last check.'],
        sinceTicks: newest.startTicks,
        link: toServer('machine', around(newest.startTicks), 'Starts of the server'),
      },
    ]
  },
}

export const serverReplaced: TriageRule = {
  rule: 'server-replaced',
  title: 'Another server answers here',
  reason:
    'A server keeps its identity in its data folder: it was started with another or an empty one, or its address leads elsewhere. Clients read and write there now.',
  when: 'Said for an hour by a page that was open meanwhile.',
  unknown: always,
  find: ({ replaced, now: { server, databases }, nowTicks }) => {
    if (replaced === null || nowTicks - replaced.atTicks >= HOUR_MS * TICKS_PER_MS) return []
    const words = (version: string | null, count: number | null): string =>
      [
        ...(version === null ? [] : [`RavenDB ${version}`]),
        count === null ? 'databases not known' : formatPlural(count, 'database'),
      ].join(', ')
    const isEmpty = (replaced.databases ?? 0) > 0 && databases?.total === 0
    return [
      {
        level: isEmpty ? 'critical' : 'warning',
        weight: isEmpty ? 0.95 : 0.6,
        title: `Another server answers at this address${isEmpty ? ', without any database' : ''}.`,
        past: 'Another server answered at this address.',
        evidence: [
          `Before: ${words(replaced.version, replaced.databases)}. Now: ${words(server.version, databases?.total ?? null)}.`,
        ],
        sinceTicks: replaced.atTicks,
        link: toServer('machine', around(replaced.atTicks), 'Starts of the server'),
      },
    ]
  },
}

export const clockJump: TriageRule = {
  rule: 'clock-jump',
  title: 'The server’s clock was set',
  reason: 'Events before and after do not line up, timeouts and expirations may fire early or late.',
  when: 'Said for an hour after the clock went back by 5 s or gained 30 s on this browser’s.',
  unknown: always,
  find: ({ jumps, nowTicks }) => {
    const lately = jumps.filter(({ atTicks }) => nowTicks - atTicks < HOUR_MS * TICKS_PER_MS)
    const newest = lately[0]
    if (newest === undefined) return []
    return [
      {
        level: 'info',
        weight: 0.5,
        title: `The server’s clock went ${newest.byMs < 0 ? 'back' : 'ahead'} by ${span(Math.abs(newest.byMs))}.`,
        evidence: [`${formatPlural(lately.length, 'jump')} within an hour.`],
        sinceTicks: newest.atTicks,
        link: toServer('machine', around(newest.atTicks)),
      },
    ]
  },
}

export const clusterNode: TriageRule = {
  rule: 'cluster-node',
  title: 'A node of the cluster is out of reach',
  reason:
    'The others carry its load, and a second loss may cost the majority; without a leader no database or index definition can change.',
  unknown: ({ cluster }) => arrived(cluster.ownTag, 'No topology received yet.'),
  find: ({ cluster }) => {
    const others = cluster.nodes.filter((node) => !node.isOwn)
    const lost = others.filter((node) => node.connected === false)
    return [
      ...(others.length > 0 && cluster.leader === null
        ? [
            {
              about: 'leader',
              level: 'critical' as const,
              weight: 0.9,
              title: 'The cluster has no leader.',
              evidence: [cluster.lastChange ?? 'The server does not say why.'],
              link: toCluster,
            },
          ]
        : []),
      ...lost.map((node): Finding => ({
        about: node.tag,
        level: 'critical',
        weight: 0.8,
        title: `Node ${node.tag} is out of reach of the leader.`,
        evidence: [node.url, ...(node.connectionError === null ? [] : [firstLine(node.connectionError)])],
        link: toCluster,
      })),
    ]
  },
}
