import { formatBytes, formatCount, formatPlural } from '../../../../base/text/format.ts'
import { TICKS_PER_MS } from '../../../../base/ticks.ts'
import type { FailingWrites, ServerNow } from '../../../../feeds/server/contract.ts'
import type { Finding, TriageRule } from '../facts.ts'
import { arrived, asOf, between, span, toDatabase, toServer } from './helpers.ts'

/** Number of writes one after the other from which on all writes count as failing. */
const ALL_FROM = 3

const NO_SPACE = 'DiskFullException'

export const writesFail: TriageRule = {
  rule: 'writes-fail',
  title: 'Writes fail',
  reason: 'What clients wanted to store is not stored, and not every client tries again.',
  when: 'Reported for a minute after a write that the server answered with a status of 500 or more; critical when none after it was done. Listened to while Triage, Server or Databases is open: all requests of a quiet server, two dozen every six seconds of a busy one.',
  unknown: ({ writes }) => arrived(writes, 'No data yet: requests are not listened to.'),
  find: ({ writes, now, nowTicks }) =>
    (writes ?? []).map((each): Finding => {
      const { database, done, failed, failedSince, sinceTicks, untilTicks, reason } = each
      const isFull = reason?.type === NO_SPACE
      const isAll = failedSince >= ALL_FROM || (isFull && failedSince > 0)
      const all = failed.reduce((sum, { count }) => sum + count, 0)
      const statuses = failed.map(({ status }) => status).join(', ')
      const to = database === null ? 'the server' : `“${database}”`
      const agoMs = Math.max(0, nowTicks - untilTicks) / TICKS_PER_MS
      const ago = agoMs < 2000 ? '' : `, the last one ${span(agoMs)} ago`
      const example = failed[0]?.request ?? ''
      return {
        about: database ?? 'server',
        level: isAll ? 'critical' : 'warning',
        weight: isAll ? 0.92 : between(all, 0, all + done),
        title: isAll
          ? `Writes to ${to} fail: ${isFull ? 'the disk is full' : `the server answers ${statuses}`}.`
          : `${formatCount(all)} of ${formatPlural(all + done, 'write')} to ${to} failed (status ${statuses}).`,
        past: `Writes to ${to} failed${isFull ? ': the disk was full' : ''}.`,
        evidence: [
          `${formatCount(all)} of ${formatPlural(all + done, 'write')} that were seen in the last minute failed${ago}: ${example}, status ${statuses}.`,
          ...(reason === null
            ? ['The log did not say why.']
            : [`By the log of the server: ${reason.type}: ${reason.message.replace(/[.\s]*$/, '')}.`]),
          ...(isFull ? spaceWords(each, now) : []),
        ],
        sinceTicks,
        held: asOf(untilTicks),
        link: isFull || database === null ? toServer('machine', null, isFull ? 'Volumes' : '') : toDatabase(database),
      }
    }),
}

/** Free space of the volume on which a file did not fit, and how much was wanted. */
function spaceWords({ reason }: FailingWrites, { volumes }: ServerNow): string[] {
  const message = reason?.message ?? ''
  const wanted = Number(/Requested (\d+)/.exec(message)?.[1] ?? Number.NaN)
  const [volume] = volumes
    .filter(({ mount }) => volumes.length === 1 || message.includes(mount))
    .toSorted((a, b) => b.mount.length - a.mount.length)
  if (volume === undefined) return []
  const { mount, freeBytes, totalBytes } = volume
  const free = `The disk ${mount} has ${formatBytes(freeBytes)} of ${formatBytes(totalBytes)} free.`
  // Files grow in large steps, so that a disk with space left may be full for one of them.
  return [wanted > freeBytes ? `${free} ${formatBytes(wanted)} at once were wanted.` : free]
}
