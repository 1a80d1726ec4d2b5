import { formatBytes, formatCount, formatPlural, formatShare } from '../../../../../base/text/format.ts'
import { TICKS_PER_MS } from '../../../../../base/ticks.ts'
import { between, MINUTE_MS, percent, sentence, span, toCluster, toServer } from '../helpers.ts'
import type { Finding, TriageRule } from '../../facts.ts'
import { ofOwn, someOf, unlessOwn } from './helpers.ts'

/* Rules on single responses of a server about itself, but for its cluster. */

const FROM_ONE_ADDRESS = 300
const CONNECTIONS_MANY = 1000

export const manyConnections: TriageRule = {
  rule: 'connections',
  title: 'One address holds very many connections',
  reason:
    'A client that makes a document store for each request opens connections again and again and never shares them. An application needs one store.',
  when: `Reported from ${FROM_ONE_ADDRESS} established connections of one address to this server on; from ${formatCount(CONNECTIONS_MANY)} of the whole machine on as info.`,
  unknown: unlessOwn('connections'),
  find: (facts) =>
    ofOwn(facts, 'connections', ({ top, established, timeWait }): Finding[] => {
      const rest = `${formatPlural(established, 'established connection')} on the machine, ${formatCount(timeWait)} closing.`
      if (top !== null && top.count > FROM_ONE_ADDRESS)
        return [
          {
            level: 'warning',
            weight: 0.55,
            title: `${top.address} holds ${formatPlural(top.count, 'connection')} to the server.`,
            evidence: [rest],
            link: toServer('machine'),
          },
        ]
      if (established <= CONNECTIONS_MANY) return []
      return [
        {
          level: 'info',
          weight: 0.2,
          title: `The machine has ${formatPlural(established, 'connection')}.`,
          evidence: [rest],
          link: toServer('machine'),
        },
      ]
    }),
}

export const memoryHolder: TriageRule = {
  rule: 'memory-holder',
  title: 'The server itself holds much of the memory',
  reason: 'Memory that the process holds is not there for caching data files, so that reads go to the disk.',
  when: 'Reported when managed or unmanaged memory is more than half of the machine’s, or encryption buffers more than 1 GiB.',
  unknown: unlessOwn('memory'),
  find: (facts) =>
    ofOwn(facts, 'memory', ({ physicalBytes, managedBytes, unmanagedBytes, encryptionBytes }) => {
      const physical = physicalBytes ?? Number.POSITIVE_INFINITY
      const held = [
        ['Managed memory', managedBytes ?? 0, physical / 2],
        ['Unmanaged memory', unmanagedBytes ?? 0, physical / 2],
        ['Encryption buffers', encryptionBytes, 1024 ** 3],
      ] as const
      return held.flatMap(([what, bytes, limit]): Finding[] =>
        bytes <= limit
          ? []
          : [
              {
                about: what,
                level: what === 'Encryption buffers' ? 'info' : 'warning',
                weight: 0.4,
                title: `${what}: ${formatBytes(bytes)}.`,
                evidence:
                  physicalBytes === null
                    ? []
                    : [`${formatShare(bytes / physicalBytes)} of the ${formatBytes(physicalBytes)} of the machine.`],
                link: toServer('machine', null, 'Memory'),
              },
            ],
      )
    }),
}

const PAUSES_PERCENT = 5
const PAUSES_MANY_PERCENT = 10
const LONG_PAUSE_MS = 1000

export const collections: TriageRule = {
  rule: 'gc-since-start',
  title: 'Garbage collection takes much of the time',
  reason: 'In a pause nothing is answered.',
  when: `Reported from ${PAUSES_PERCENT} % of the time since the start on, and when the last collection of a kind, which may be hours old, paused for a second.`,
  unknown: unlessOwn('collections'),
  find: (facts) =>
    ofOwn(facts, 'collections', ({ pausePercent, longestPauseMs }): Finding[] => {
      const isMuch = (pausePercent ?? 0) > PAUSES_PERCENT
      const isLong = (longestPauseMs ?? 0) > LONG_PAUSE_MS
      if (!isMuch && !isLong) return []
      return [
        {
          level: (pausePercent ?? 0) >= PAUSES_MANY_PERCENT ? 'warning' : 'info',
          weight: between(pausePercent ?? 0, 0, 30),
          title: isMuch
            ? `Garbage collection took ${percent(pausePercent ?? 0)} of the time since the start.`
            : `A garbage collection stopped the server for ${span(longestPauseMs ?? 0)}.`,
          evidence:
            isMuch && isLong ? [`The longest pause of its last collections: ${span(longestPauseMs ?? 0)}.`] : [],
          link: toServer('machine', null, 'Garbage collection'),
        },
      ]
    }),
}

const KERNEL_SHARE = 0.3
const KERNEL_LARGE_SHARE = 0.5
/** A process that has done nothing has no habits. */
const KERNEL_LEAST_MS = 10 * MINUTE_MS

export const kernelTime: TriageRule = {
  rule: 'kernel-time',
  title: 'The server spends much CPU time in the kernel',
  reason: 'Time for memory pages, files and network instead of its own work: often a lack of memory, or slow disks.',
  when: 'Reported from 30 % of its CPU time since the start on, once that is 10 minutes.',
  unknown: unlessOwn('cpuTime'),
  find: (facts) =>
    ofOwn(facts, 'cpuTime', ({ kernelMs, totalMs }): Finding[] => {
      const share = kernelMs / totalMs
      if (!(share > KERNEL_SHARE) || totalMs < KERNEL_LEAST_MS) return []
      return [
        {
          level: share >= KERNEL_LARGE_SHARE ? 'warning' : 'info',
          weight: share,
          title: `The server spent ${formatShare(share)} of its CPU time in the kernel.`,
          evidence: [`${span(kernelMs)} of ${span(totalMs)} since its start.`],
          link: toServer('machine'),
        },
      ]
    }),
}

const THREADS_MANY = 1000

export const manyThreads: TriageRule = {
  rule: 'threads',
  title: 'The server has very many threads',
  reason:
    'Each index, replication and subscription has one; far more are work that waits, or very many databases that are loaded.',
  when: `Reported from ${formatCount(THREADS_MANY)} on.`,
  unknown: unlessOwn('threads'),
  find: (facts) =>
    ofOwn(facts, 'threads', ({ threads }): Finding[] =>
      (threads ?? 0) <= THREADS_MANY
        ? []
        : [
            {
              level: 'info',
              weight: 0.3,
              title: `The server has ${formatPlural(threads ?? 0, 'thread')}.`,
              evidence: [],
              link: toServer('machine'),
            },
          ],
    ),
}

const UNCOMMITTED_LEAST = 5
const UNCOMMITTED_MANY = 128
const STALLED_MS = 2 * MINUTE_MS

export const clusterLogStalled: TriageRule = {
  rule: 'cluster-log',
  title: 'The cluster log does not get on',
  reason:
    'Changes of databases, indexes and tasks go through the log of the cluster. While it stalls none takes effect; compare exchange and identities wait, too.',
  when: `Reported when ${UNCOMMITTED_LEAST} entries wait and none was committed for 2 minutes, when more than ${UNCOMMITTED_MANY} wait, and when the log has a critical error.`,
  unknown: unlessOwn('log'),
  find: (facts) =>
    ofOwn(facts, 'log', ({ criticalError, lastIndex, commitIndex, lastCommittedTicks }) => {
      const waiting = lastIndex - commitIndex
      const quietMs = lastCommittedTicks === null ? 0 : (facts.nowTicks - lastCommittedTicks) / TICKS_PER_MS
      const isStalled = waiting >= UNCOMMITTED_LEAST && quietMs > STALLED_MS
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
        ...(!isStalled && waiting <= UNCOMMITTED_MANY
          ? []
          : [
              {
                about: 'stalled',
                level: isStalled ? ('critical' as const) : ('warning' as const),
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

export const slowPing: TriageRule = {
  rule: 'node-ping',
  title: 'A node answers slowly, or not at all',
  reason:
    'A node that answers later than the election timeout (300 ms by default) loses its leader, and elections stop the cluster log.',
  when: 'Reported from 2 s on; the time includes setting up the connection.',
  unknown: unlessOwn('pings'),
  find: (facts) =>
    ofOwn(facts, 'pings', (pings) => {
      const start = facts.answers?.own.start
      const own = start?.kind === 'answered' ? start.value.url : null
      return pings
        .filter(({ url }) => url !== own)
        .flatMap(({ url, ms, error }): Finding[] => {
          if (error === null && (ms ?? 0) <= PING_SLOW_MS) return []
          return [
            {
              about: url,
              level: 'warning',
              weight: error !== null ? 0.8 : (ms ?? 0) > PING_VERY_SLOW_MS ? 0.7 : 0.5,
              title: error === null ? `${url} answered after ${span(ms ?? 0)}.` : `${url} does not answer the server.`,
              evidence: error === null ? [] : someOf([sentence(error)]),
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

export const coresUnused: TriageRule = {
  rule: 'cores-unused',
  title: 'The server does not use all cores',
  reason: 'Its licence or its settings limit the cores that it uses; the others stay with other programs.',
  unknown: unlessOwn('topology'),
  find: (facts) =>
    ofOwn(facts, 'topology', (): Finding[] => {
      const own = facts.cluster.nodes.find(({ isOwn }) => isOwn)
      const { cores = null, usedCores = null } = own ?? {}
      if (cores === null || usedCores === null || usedCores >= cores) return []
      return [
        {
          level: 'info',
          weight: 0.1,
          title: `The server uses ${formatCount(usedCores)} of the ${formatCount(cores)} cores of its machine.`,
          evidence: [],
          link: toServer('machine'),
        },
      ]
    }),
}
