import type { Ticks } from '../../../base/brand.ts'
import { formatCount, formatPlural } from '../../../base/format.ts'
import { TICKS_PER_MS, type TimeRange } from '../../../base/ticks.ts'
import type { ServerAlert } from '../queries.ts'
import type { Finding, TriageRule } from '../triage-facts.ts'
import { MINUTE_MS, HOUR_MS, DAY_MS, toServer, around, span, between, always, firstLine, sentence } from './helpers.ts'

/* The server itself, its clock and its cluster. */

const SILENCES = {
  leader: 'The connection is open, and silent.',
  follower: 'Another tab of this browser listens for this one, and passes nothing on.',
  off: '',
} as const

export const serverSilent: TriageRule = {
  rule: 'server-silent',
  title: 'The server does not answer',
  reason:
    'Its dashboard tells the CPU every second. When nothing came for 15 s, the server, the way to it, or this page’s right to it is gone, and all figures below are old.',
  unknown: (facts) => (facts.now.watch.lastHeardMs === null ? 'It was never heard.' : null),
  find: ({ now: { watch }, nowMs, nowTicks }) => {
    const silentMs = watch.lastHeardMs === null ? 0 : nowMs - watch.lastHeardMs
    if (watch.role === 'off' || silentMs < 15_000) return []
    return [
      {
        about: '',
        level: 'harm',
        weight: 1,
        title: `The server was not heard for ${span(silentMs)}.`,
        past: 'The server was not heard.',
        evidence: [watch.message === '' ? SILENCES[watch.role] : watch.message],
        sinceTicks: (nowTicks - silentMs * TICKS_PER_MS) as Ticks,
        link: toServer('machine'),
      },
    ]
  },
}

const NOT_NEWS = new Set(['LicenseManager_AGPL3'])

/** What an alert says below its title, as the server words it. */
const wordsOf = ({ message, database }: ServerAlert): readonly string[] => [
  ...(message === null ? [] : [message.slice(0, 300)]),
  ...(database === null ? [] : [`Database “${database}”.`]),
]

export const serverAlerts: TriageRule = {
  rule: 'server-alerts',
  title: 'The server raised alerts',
  reason:
    'They stay until somebody dismisses them. Errors of the last day are worth a look now; warnings, and what is older, are a notice. That a server runs without a licence is said with the licence.',
  quotes: true,
  unknown: always,
  find: ({ alerts, failures, nowTicks }) => {
    // Said as the failed database that it is of.
    const said = new Set([...failures.values()].map(({ alertId }) => alertId))
    const told = alerts.filter(
      (alert) =>
        !said.has(alert.id) &&
        alert.severity !== 'Info' &&
        alert.severity !== 'Success' &&
        !NOT_NEWS.has(alert.kind ?? ''),
    )
    const dayAgo = nowTicks - DAY_MS * TICKS_PER_MS
    const isUrgent = (alert: (typeof told)[number]): boolean =>
      alert.severity === 'Error' && (alert.createdTicks ?? nowTicks) >= dayAgo
    const urgent = told.filter(isUrgent)
    const rest = told.filter((alert) => !isUrgent(alert))
    const newest = rest[0]
    return [
      ...urgent.map((alert): Finding => ({
        about: alert.id,
        level: 'danger',
        weight: 0.6,
        title: sentence(alert.title),
        evidence: wordsOf(alert),
        sinceTicks: alert.createdTicks,
        link: toServer('alerts'),
      })),
      ...(newest === undefined
        ? []
        : [
            {
              about: 'rest',
              level: 'notice' as const,
              weight: 0.2,
              title:
                rest.length === 1 ? sentence(newest.title) : `The server raised ${formatPlural(rest.length, 'alert')}.`,
              evidence: rest.length === 1 ? wordsOf(newest) : rest.slice(0, 3).map((alert) => sentence(alert.title)),
              sinceTicks: newest.createdTicks,
              link: toServer('alerts'),
            },
          ]),
    ]
  },
}

export const serverStalled: TriageRule = {
  rule: 'server-stalled',
  title: 'The server stood still',
  reason:
    'It tells its CPU every second. When it told nothing for more than 5 s and then went on, its process or machine was stopped, in a long pause, or out of reach; whoever asked meanwhile waited.',
  when: 'Said for 10 minutes.',
  unknown: always,
  find: ({ stalls, nowTicks }) => {
    const newest = stalls.at(-1)
    if (newest === undefined) return []
    const ms = (stall: TimeRange): number => (stall.endTicks - stall.startTicks) / TICKS_PER_MS
    const longestMs = Math.max(...stalls.map(ms))
    return [
      {
        about: '',
        level: 'danger',
        weight: between(longestMs, 0, MINUTE_MS),
        title: `The server did not answer for ${span(ms(newest))}, ${span((nowTicks - newest.endTicks) / TICKS_PER_MS)} ago.`,
        evidence: [
          'No figure of this time exists, on a connection that stood.',
          ...(stalls.length > 1
            ? [`${formatCount(stalls.length)} times within 10 minutes, the longest ${span(longestMs)}.`]
            : []),
        ],
        sinceTicks: newest.startTicks,
        link: toServer('machine', around(newest.startTicks)),
      },
    ]
  },
}

export const restartSeen: TriageRule = {
  rule: 'restart',
  title: 'The server was restarted',
  reason: 'Somebody, the system or a crash did it. Caches are cold and databases load again.',
  when: 'Said for an hour after a start that this page noticed; two in an hour are a danger.',
  unknown: ({ now }) => (now.server.startTicks === null ? 'The start was not told yet.' : null),
  find: ({ now: { server }, nowTicks }) => {
    const lately = server.restarts.filter(
      (restart) => restart.seen && nowTicks - restart.startTicks < HOUR_MS * TICKS_PER_MS,
    )
    const newest = lately[0]
    if (newest === undefined) return []
    return [
      {
        about: '',
        level: lately.length > 1 ? 'danger' : 'notice',
        weight: 0.5,
        title:
          lately.length > 1
            ? `The server was restarted ${formatCount(lately.length)} times within an hour.`
            : `The server was restarted ${span((nowTicks - newest.startTicks) / TICKS_PER_MS)} ago.`,
        evidence: ['It says another start than when it was last looked at.'],
        sinceTicks: newest.startTicks,
        link: toServer('machine', around(newest.startTicks)),
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
        about: '',
        level: 'notice',
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
  unknown: ({ cluster }) => (cluster.ownTag === null ? 'The topology was not told yet.' : null),
  find: ({ cluster }) => {
    const others = cluster.nodes.filter((node) => !node.isOwn)
    const lost = others.filter((node) => node.connected === false)
    return [
      ...(others.length > 0 && cluster.leader === null
        ? [
            {
              about: 'leader',
              level: 'harm' as const,
              weight: 0.9,
              title: 'The cluster has no leader.',
              evidence: [cluster.lastChange ?? 'The server does not say why.'],
              sinceTicks: null,
              link: toServer('cluster'),
            },
          ]
        : []),
      ...lost.map((node): Finding => ({
        about: node.tag,
        level: 'harm',
        weight: 0.8,
        title: `Node ${node.tag} is out of reach of the leader.`,
        evidence: [node.url, ...(node.connectionError === null ? [] : [firstLine(node.connectionError)])],
        sinceTicks: null,
        link: toServer('cluster'),
      })),
    ]
  },
}
