import { formatBytes, formatCount, formatPlural, formatShare } from '../../../../../base/text/format.ts'
import { between, MINUTE_MS, percent, span, toServer } from '../helpers.ts'
import type { Finding, TriageRule } from '../../facts.ts'
import { ofOwn, unlessOwn } from './helpers.ts'

/* Rules on single responses of a server about itself, except those about its cluster (`cluster.ts`). */

const FROM_ONE_ADDRESS = 300
const CONNECTIONS_MANY = 1000
/** Minimum number of closed connections for a finding. The system keeps a closed connection for a minute. */
const CLOSED_MANY = 300

export const manyConnections: TriageRule = {
  rule: 'connections',
  title: 'One address holds very many connections',
  reason:
    'A client that makes a document store for each request opens connections again and again and never shares them. An application needs one store.',
  when: `Reported from ${FROM_ONE_ADDRESS} established connections of one address to this server on; as info from ${CLOSED_MANY} that closed within the last minute on, and from ${formatCount(CONNECTIONS_MANY)} of the whole machine on.`,
  unknown: unlessOwn('connections'),
  find: (facts) =>
    ofOwn(facts, 'connections', ({ top, established, timeWait, ownTimeWait }): Finding[] => {
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
      const link = toServer('machine')
      if (ownTimeWait > CLOSED_MANY)
        return [
          {
            level: 'info',
            weight: 0.3,
            title: `${formatPlural(ownTimeWait, 'connection')} of the server closed within a minute.`,
            evidence: [
              rest,
              ...(ownTimeWait > established / 2 ? ['Clients open new ones instead of using those again.'] : []),
            ],
            link,
          },
        ]
      if (established <= CONNECTIONS_MANY) return []
      const title = `The machine has ${formatPlural(established, 'connection')}.`
      return [{ level: 'info', weight: 0.2, title, evidence: [rest], link }]
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

const FRAGMENTED_SHARE = 0.5
/** Minimum size of gaps. Free space in a small heap is not lost: the next allocations use it. */
const FRAGMENTED_LEAST = 1024 ** 3

export const heapFragmented: TriageRule = {
  rule: 'heap-fragmented',
  title: 'The managed heap is mostly gaps',
  reason: 'Pinned buffers keep the collector from closing gaps between objects: memory stays taken without use.',
  when: 'Reported when after the last collection of a kind, which may be hours old, gaps were more than half of the heap and more than 1 GiB.',
  unknown: unlessOwn('collections'),
  find: (facts) =>
    ofOwn(facts, 'collections', ({ fragmented }): Finding[] => {
      const [worst] = fragmented
        .filter(({ heapBytes, gapBytes }) => gapBytes > FRAGMENTED_LEAST && gapBytes > heapBytes * FRAGMENTED_SHARE)
        .toSorted((a, b) => b.gapBytes - a.gapBytes)
      if (worst === undefined) return []
      const share = worst.gapBytes / worst.heapBytes
      return [
        {
          level: 'warning',
          weight: between(share, 0.3, 1),
          title: `${formatBytes(worst.gapBytes)} of the managed heap are gaps.`,
          evidence: [
            `${formatShare(share)} of ${formatBytes(worst.heapBytes)} after the last collection (${worst.kind}).`,
          ],
          link: toServer('machine', null, 'Garbage collection'),
        },
      ]
    }),
}

const KERNEL_SHARE = 0.3
const KERNEL_LARGE_SHARE = 0.5
/** Minimum CPU time of the process for its kernel share to be meaningful. */
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

const THREADS_MANY = 500

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

const THREAD_SHARE = 0.5
const THREAD_KERNEL_SHARE = 0.4
/** Minimum CPU time of a thread for its shares to be meaningful. */
const THREAD_LEAST_MS = 10 * MINUTE_MS

export const busyThread: TriageRule = {
  rule: 'busy-thread',
  title: 'One thread takes most of the CPU time',
  reason: 'Its work runs on one core alone, however many there are: a large index, replication, or a client in a loop.',
  when: `Reported for a thread with half of the CPU time of the process since its start and more than 10 minutes, and for one with as much that spent ${THREAD_KERNEL_SHARE * 100} % of it in the kernel.`,
  unknown: (facts) => unlessOwn('threads')(facts) ?? unlessOwn('cpuTime')(facts),
  find: (facts) =>
    ofOwn(facts, 'threads', ({ busiest }): Finding[] => {
      const answer = facts.answers?.own.cpuTime
      const totalMs = answer?.kind === 'answered' ? answer.value.totalMs : Number.NaN
      return busiest
        .filter(({ cpuMs }) => cpuMs >= THREAD_LEAST_MS)
        .flatMap(({ id, name, cpuMs, kernelMs }): Finding[] => {
          const share = cpuMs / totalMs
          const kernel = kernelMs / cpuMs
          const isMost = share > THREAD_SHARE
          if (!isMost && !(kernel > THREAD_KERNEL_SHARE)) return []
          return [
            {
              about: String(id),
              level: 'info',
              weight: Math.min(1, share),
              title: isMost
                ? `The thread “${name}” took ${formatShare(share)} of the CPU time of the server.`
                : `The thread “${name}” spent ${formatShare(kernel)} of its CPU time in the kernel.`,
              evidence: [`${span(cpuMs)} since it began, ${span(kernelMs)} of it in the kernel.`],
              link: toServer('machine'),
            },
          ]
        })
    }),
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
