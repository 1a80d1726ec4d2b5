import { GC_LIMITS_SHARE, GC_PAUSES_SHARE, UNWRITTEN_SHARE } from '../../../../ravendb/limits.ts'
import { formatBytes, formatPlural, formatShare } from '../../../../base/text/format.ts'
import { TICKS_PER_MS } from '../../../../base/ticks.ts'
import type { TriageRule } from '../facts.ts'
import { MINUTE_MS, toServer, around, span, percent, between, arrived } from './helpers.ts'

/* Rules on memory, and on pauses of garbage collection. */

export const lowMemory: TriageRule = {
  rule: 'low-memory',
  title: 'The server is low on memory',
  reason:
    'It then shrinks caches and index batches, runs more collections, and everything gets slower; beyond that the system ends processes. The server itself judges it, and logs it; the last 10 minutes count.',
  unknown: (facts) => arrived(facts.now.memory),
  find: ({ now: { memory, lowMemory: log }, nowTicks }) => {
    if (memory === null) return []
    const since = nowTicks - 10 * MINUTE_MS * TICKS_PER_MS
    const lately = (log ?? []).filter((event) => event.isLow && !event.isSimulated && event.atTicks >= since)
    const isLow = memory.severity !== 'None'
    if (!isLow && lately.length === 0) return []
    const oldest = lately.at(-1)
    return [
      {
        level: isLow ? 'critical' : 'warning',
        weight: memory.severity === 'ExtremelyLow' ? 1 : isLow ? 0.85 : 0.5,
        title: isLow
          ? `The server is ${memory.severity === 'ExtremelyLow' ? 'extremely ' : ''}low on memory.`
          : 'The server was low on memory a moment ago.',
        past: 'The server was low on memory.',
        evidence: [
          `${formatBytes(memory.availableBytes)} of ${formatBytes(memory.physicalBytes)} available, ${formatBytes(memory.freeBytes)} of it free.`,
          `Low is below ${formatBytes(memory.lowLimit.bytes)} available.`,
          ...(lately.length === 0
            ? []
            : [`${formatPlural(lately.length, 'event')} in the server’s log in 10 minutes.`]),
        ],
        sinceTicks: oldest?.atTicks ?? null,
        link: toServer('machine', around(oldest?.atTicks ?? nowTicks), 'Memory'),
      },
    ]
  },
}

/**
 * Share of memory for scratch buffers that the server itself recommends:
 * `Memory.TemporaryDirtyMemoryAllowedPercentage`.
 */
const SCRATCH_SHARE = 0.25
const UNWRITTEN_MS = 45_000

export const dirtyMemory: TriageRule = {
  rule: 'dirty-memory',
  title: 'Much memory is not written to disk yet',
  reason:
    'Dirty pages cannot be given back before they are written; when the disk does not keep up, writers have to wait for it.',
  when: 'Reported when for 45 s they are 15 % of the available memory: by default Linux makes writers wait from about 20 % on. Where the kernel’s figures are unknown: when scratch buffers are a quarter of the memory, which is the server’s own rule of thumb.',
  unknown: (facts) => arrived(facts.now.memory),
  find: ({ now: { memory }, recent }) => {
    if (memory === null) return []
    const isKernels = memory.source === 'kernel'
    const { min, count } = recent(isKernels ? 'memory.unwritten' : 'memory.scratch', UNWRITTEN_MS)
    const of = isKernels ? memory.availableBytes : memory.physicalBytes
    const least = isKernels ? UNWRITTEN_SHARE : SCRATCH_SHARE
    const share = min / of
    if (!(share >= least) || count < 2) return []
    return [
      {
        level: 'warning',
        weight: between(share, 0.1, 0.6),
        title: isKernels
          ? `${formatBytes(min)} of memory are not written to disk yet.`
          : `Scratch buffers hold ${formatShare(share)} of the memory.`,
        past: isKernels ? 'Much memory was not written to disk yet.' : 'Scratch buffers held much of the memory.',
        evidence: [
          isKernels
            ? `At least ${formatShare(share)} of the ${formatBytes(of)} that are available, over 45 s.`
            : `At least ${formatBytes(min)} of ${formatBytes(of)}, over 45 s.`,
        ],
        link: toServer('machine', null, 'Memory'),
      },
    ]
  },
}

export const gcPauses: TriageRule = {
  rule: 'gc-pauses',
  title: 'Garbage collection stops the server',
  reason: 'In a pause nothing is answered.',
  when: 'Said when a tenth of the last minute went into pauses, or one pause of the last 5 minutes took a second. Collections as such are ordinary.',
  unknown: (facts) => arrived(facts.now.gc),
  find: ({ now: { gc }, recent, nowTicks }) => {
    if (gc === null) return []
    const share = gc.recentPauseShare ?? 0
    const { max } = recent('gc.pauseMs', 5 * MINUTE_MS)
    const isLong = max >= 1000
    if (share < GC_PAUSES_SHARE && !isLong) return []
    return [
      {
        level: share >= GC_LIMITS_SHARE || max >= 10_000 ? 'critical' : 'warning',
        weight: Math.max(between(share, 0, 0.5), isLong ? between(max, 0, 20_000) : 0),
        title: isLong
          ? `A garbage collection stopped the server for ${span(max)}.`
          : `Garbage collection took ${formatShare(share)} of the last minute.`,
        evidence: [
          gc.recentPauseShare === null
            ? `${percent(gc.pauseTimePercent)} of the time since the start in pauses.`
            : `At least ${formatShare(share)} of the last minute in pauses; ${percent(gc.pauseTimePercent)} since the start.`,
          ...(isLong ? [`Longest pause of the last 5 minutes: ${span(max)}.`] : []),
        ],
        link: toServer('machine', around(nowTicks), 'Garbage collection'),
      },
    ]
  },
}
