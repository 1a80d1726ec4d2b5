import { DISK_QUEUE_LEAST, SATURATED_CPU_PERCENT, SLOPE_LEAST_MS } from '../../../../ravendb/limits.ts'
import { describeShares, leastByOthers, ownCores, usableShare } from '../../../../base/text/cpu-shares.ts'
import { capitalise, formatByteRate, formatBytes, formatCount, formatShare } from '../../../../base/text/format.ts'
import { TICKS_PER_MS } from '../../../../base/ticks.ts'
import type { Finding, TriageFacts, TriageRule } from '../facts.ts'
import { MINUTE_MS, HOUR_MS, DAY_MS, toServer, span, percent, between, always, arrived, awaited } from './helpers.ts'
import type { VolumeGrowth, VolumeSeriesKey } from '../../../../feeds/server/contract.ts'

/* Rules on the machine: CPU, CPU credits and disks. */

export const cpuCredits: TriageRule = {
  rule: 'cpu-credits',
  title: 'CPU credits run out',
  reason:
    'On a burstable machine the server counts credits itself: below one threshold it pauses background work such as indexing, below another it refuses requests, and without any the machine gets very slow.',
  when: 'Said when a threshold is reached within 30 minutes at this rate.',
  unknown: always,
  find: ({ now: { credits } }) => {
    if (credits === null) return []
    const falls = credits.usedPerSecond - credits.gainedPerSecond
    const next = Math.max(credits.backgroundThreshold, credits.failoverThreshold)
    const untilMs = falls > 0 ? ((credits.remaining - next) / falls) * 1000 : Number.POSITIVE_INFINITY
    const isBelow = credits.remaining < next
    const isOut = credits.remaining <= 0
    if (!isBelow && !isOut && untilMs > 30 * MINUTE_MS) return []
    return [
      {
        level: isBelow ? 'critical' : 'warning',
        weight: isBelow ? 0.9 : between(30 * MINUTE_MS - untilMs, 0, 30 * MINUTE_MS),
        title: isBelow
          ? 'CPU credits are nearly used up, and the server holds back.'
          : isOut
            ? 'CPU credits are used up: the machine runs at its base speed.'
            : `CPU credits reach the threshold in ${span(untilMs)}.`,
        evidence: [
          `${credits.remaining.toFixed(1)} of ${credits.max.toFixed(0)} credits left; ${falls.toFixed(3)} a second more are used than earned.`,
          ...credits.consequences,
        ],
        link: toServer('machine', null, 'CPU credits'),
      },
    ]
  },
}

const BUSY_MS = 2 * MINUTE_MS
/** Minimum number of samples (one per second) for the two minutes to count as covered. */
const BUSY_SAMPLES = 90

export const cpuBusy: TriageRule = {
  rule: 'cpu-busy',
  title: 'CPU saturated',
  reason: `Without a free core every request, write and indexing batch waits for its turn, whichever process uses the CPU. High load alone is not a fault, so this is info: reported when the machine, or the part of its cores that this server may use, was at least ${SATURATED_CPU_PERCENT} % busy on average over the last 2 minutes, and still is.`,
  unknown: ({ now }) => arrived(now.cpu),
  history: ({ recent }) => {
    const { count } = recent('cpu.machine', BUSY_MS)
    return count >= BUSY_SAMPLES ? null : `It needs ${BUSY_SAMPLES} samples of the last 2 minutes, and has ${count}.`
  },
  find: ({ now: { cpu }, recent }) => {
    const machine = recent('cpu.machine', BUSY_MS)
    const server = recent('cpu.process', BUSY_MS)
    const isSaturated = (['cpu.machine', 'cpu.process'] as const).map((key) => {
      const { mean, count } = recent(key, BUSY_MS)
      return mean >= SATURATED_CPU_PERCENT && count >= BUSY_SAMPLES && recent(key, 15_000).mean >= SATURATED_CPU_PERCENT
    })
    if (!isSaturated.includes(true)) return []
    const shares = {
      machine: machine.mean,
      process: server.mean,
      cores: cpu?.cores ?? null,
      usedCores: cpu?.usedCores ?? null,
    }
    const [isMachine] = isSaturated
    return [
      {
        level: 'info',
        weight: between(isMachine === true ? machine.mean : server.mean, SATURATED_CPU_PERCENT, 100),
        title:
          isMachine === true
            ? `CPU saturated: the machine was ${percent(machine.mean)} busy over the last 2 minutes.`
            : `CPU saturated: this server used ${percent(server.mean)} of ${ownCores(shares)} over the last 2 minutes.`,
        past: 'CPU saturated.',
        evidence: [
          ...(isMachine === true ? [] : [`The machine was ${percent(machine.mean)} busy.`]),
          ...(Number.isNaN(server.mean)
            ? []
            : [
                `${capitalise(describeShares(shares))}.`,
                (leastByOthers(shares) ?? 0) > server.mean * usableShare(shares)
                  ? 'Most of it is not this server: see what else runs on the machine.'
                  : 'Most of it is this server: Stacks shows which job uses it.',
              ]),
        ],
        link: toServer('machine'),
      },
    ]
  },
}

/** Time span of the server's figures that are kept, ms. */
const seenMs = ({ now: { extent }, nowTicks }: TriageFacts): number =>
  extent === null ? 0 : Math.max(0, (nowTicks - extent.startTicks) / TICKS_PER_MS)

/** Minimum growth that is described. */
const NAMED_BYTES = 1024 ** 2

/** Describes the growth of a volume's data: by RavenDB, by database, and by others. */
function growthWords(growth: VolumeGrowth | null): string[] {
  if (growth === null || growth.lostBytes < NAMED_BYTES) return []
  const { overMs, lostBytes, ravenBytes, databases } = growth
  const own = Math.max(0, ravenBytes)
  const others = lostBytes - own
  const named = (databases ?? []).filter(({ bytes }) => bytes >= NAMED_BYTES)
  // The figures of databases and those of the volume are of different moments, so that a part may exceed the whole.
  const isWhole = named.reduce((sum, { bytes }) => sum + bytes, 0) <= own
  const list = named.map(({ database, bytes }) => `“${database}” ${formatBytes(bytes)}`).join(', ')
  const by =
    databases === null
      ? ' (of which databases is known after a while with Triage, Vitals or Databases open)'
      : named.length === 0
        ? ''
        : `${isWhole ? ':' : '; by databases, whose sizes are read at other moments:'} ${list}`
  return [
    `In ${span(overMs)} ${formatBytes(lostBytes)} of it were taken.`,
    own < NAMED_BYTES
      ? 'Data of RavenDB did not grow: what fills the disk is journals that wait for a data sync, or not of this server.'
      : `Data of RavenDB grew by ${formatBytes(own)}${by}.`,
    ...(own >= NAMED_BYTES && others >= NAMED_BYTES
      ? [`The other ${formatBytes(others)} are journals that wait for a data sync, or not of this server.`]
      : []),
  ]
}

export const diskFull: TriageRule = {
  rule: 'disk-full',
  title: 'A disk is full, or will be',
  reason: 'Without space every write fails (503), and the server may not start again.',
  when: 'Reported when less than 1 % or 1 GiB is free (critical below 256 MiB), when the server itself calls it low, or when it is full within a day at the rate of the last hour, or within half an hour at that of the last four minutes.',
  unknown: ({ now }) => (now.volumes.length === 0 ? awaited('No data yet.') : null),
  // The forecast is half of the rule: enough space now does not give the all-clear.
  history: (facts) =>
    facts.now.volumes.every(({ shrinksBytesPerSecond }) => shrinksBytesPerSecond !== null) ||
    diskFull.find(facts).length > 0
      ? null
      : `There is space now. The forecast needs figures of ${span(SLOPE_LEAST_MS)}, and has those of ${span(seenMs(facts))}.`,
  find: (facts) =>
    facts.now.volumes.flatMap((volume): Finding[] => {
      const { mount, freeBytes, totalBytes, isLow, fullInMs, shrinksBytesPerSecond, shrinksOverMs } = volume
      const isTight = freeBytes < totalBytes * 0.01 || freeBytes < 1024 ** 3
      const isSoon = fullInMs !== null && fullInMs < DAY_MS
      if (!isTight && !isLow && !isSoon) return []
      const isOver = freeBytes < 256 * 1024 ** 2
      return [
        {
          about: mount,
          level: isOver || (fullInMs !== null && fullInMs < HOUR_MS) ? 'critical' : 'warning',
          weight: Math.max(between(DAY_MS - (fullInMs ?? DAY_MS), 0, DAY_MS), isOver ? 0.95 : isTight ? 0.7 : 0.3),
          title:
            isSoon && !isTight
              ? `The disk ${mount} will be full in ${span(fullInMs)}.`
              : `The disk ${mount} has ${formatBytes(freeBytes)} free.`,
          evidence: [
            `${formatBytes(freeBytes)} of ${formatBytes(totalBytes)} free (${formatShare(freeBytes / totalBytes)}).`,
            ...(isLow ? ['The server itself calls it low.'] : []),
            ...(shrinksBytesPerSecond !== null && shrinksBytesPerSecond > 0
              ? [`It shrinks by ${formatByteRate(shrinksBytesPerSecond)}, by figures of ${span(shrinksOverMs)}.`]
              : []),
            ...growthWords(volume.growth),
          ],
          link: toServer('machine', null, 'Volumes'),
        },
      ]
    }),
}

export const diskQueue: TriageRule = {
  rule: 'disk-queue',
  title: 'Disk saturated',
  reason: `Requests that wait for the disk make every write and every cold read slower. A queue comes and goes: reported when it held at least ${DISK_QUEUE_LEAST} requests in each of the last 15 s, and was known for most of them. Watched while Triage, Server or Databases is open.`,
  unknown: ({ now }) =>
    now.volumes.every((volume) => (volume.io?.queueLength ?? null) === null) ? awaited('No data yet.') : null,
  find: ({ now: { volumes }, recent }) =>
    volumes.flatMap(({ mount, io }): Finding[] => {
      const queue = recent(`volume.queue|${mount}` satisfies VolumeSeriesKey, 15_000)
      if (!(queue.min >= DISK_QUEUE_LEAST) || queue.count < 8) return []
      return [
        {
          about: mount,
          level: queue.min >= 64 ? 'critical' : 'warning',
          weight: between(queue.mean, 0, 128),
          title: `Disk ${mount} saturated (queue length ${formatCount(Math.round(queue.mean))}).`,
          evidence: [
            `${formatCount(Math.round(queue.min))} to ${formatCount(Math.round(queue.max))} requests waited for it in the last 15 s.`,
            ...(io === null
              ? []
              : [`${formatByteRate(io.readBytesPerSecond)} read, ${formatByteRate(io.writeBytesPerSecond)} written.`]),
          ],
          link: toServer('machine', null, 'Volumes'),
        },
      ]
    }),
}
