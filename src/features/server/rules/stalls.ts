import type { Ticks } from '../../../base/brand.ts'
import { formatDuration, formatPlural } from '../../../base/format.ts'
import { groupBy } from '../../../base/group-by.ts'
import { TICKS_PER_MS } from '../../../base/ticks.ts'
import type { Finding, TriageRule } from '../triage-facts.ts'
import { MINUTE_MS, around, span, between } from './helpers.ts'

/* What holds writers and readers up, from other feeds where those record. */

export const slowWrites: TriageRule = {
  rule: 'slow-writes',
  title: 'Writes to disk stall',
  reason:
    'A transaction ends when its journal is written: a journal write of 1 s holds every writer of that database up for a second. Flushes and syncs run beside, and hold writers up from some 30 s on. Known only for what is watched.',
  unknown: ({ others }) =>
    others.slowWrites === null ? 'No I/O is watched: open the panel I/O for a database or the server.' : null,
  find: ({ others }) =>
    groupBy(others.slowWrites ?? [], (write) => `${write.source}|${write.environment}|${write.kind}`).flatMap(
      ([about, writes]): Finding[] => {
        const limitMs = writes[0].kind === 'JournalWrite' ? 1000 : 30_000
        const stalls = writes.filter(({ durationTicks }) => durationTicks >= limitMs * TICKS_PER_MS)
        const slowest = stalls.toSorted((a, b) => b.durationTicks - a.durationTicks)[0]
        if (slowest === undefined) return []
        const { source, environment, kind, startTicks, durationTicks } = slowest
        const ratio = durationTicks / TICKS_PER_MS / limitMs
        return [
          {
            about,
            level: ratio >= 5 ? 'harm' : 'danger',
            weight: between(ratio, 0, 10),
            title: `${KIND_NAMES[kind] ?? kind} of ${environment} stalled for ${formatDuration(durationTicks)}.`,
            evidence: [`${formatPlural(stalls.length, 'stall')} of at least ${span(limitMs)} in the last 10 minutes.`],
            sinceTicks: Math.min(...stalls.map((write) => write.startTicks)) as Ticks,
            link: { panel: 'io', params: {}, sources: [source], range: around(startTicks, 1) },
          },
        ]
      },
    ),
}

const KIND_NAMES: Readonly<Record<string, string>> = {
  JournalWrite: 'A journal write',
  DataFlush: 'A data flush',
  DataSync: 'A data sync',
}

export const longQueries: TriageRule = {
  rule: 'long-queries',
  title: 'A query runs long',
  reason:
    'It holds memory and a thread, and whoever asked waits. Said from 30 s on. Known only where running queries are watched.',
  unknown: ({ others }) => (others.longQueries === null ? 'Running queries are not watched.' : null),
  find: ({ others, nowTicks }) =>
    (others.longQueries ?? [])
      .filter(({ runningMs }) => runningMs >= 30_000)
      .map(({ source, query, runningMs }): Finding => ({
        about: `${source}|${query}`,
        level: 'danger',
        weight: between(runningMs, 0, 10 * MINUTE_MS),
        title: `A query has been running for ${span(runningMs)}.`,
        evidence: [query.slice(0, 200)],
        sinceTicks: (nowTicks - runningMs * TICKS_PER_MS) as Ticks,
        link: { panel: 'databases', params: {}, sources: [source], range: null },
      })),
}
