import { type Ticks, TICKS_PER_SECOND } from '../base/ticks.ts'
import type { Bottleneck, BottlenecksParams, BottlenecksResponse } from '../features/server/contract.ts'

const minutes = (count: number): number => count * 60 * TICKS_PER_SECOND

/** What a server in trouble was limited by: nothing, then the disk, which holds on. */
export function generateBottlenecks(nowTicks: Ticks, isBad: boolean): readonly Bottleneck[] {
  const ago = (count: number): Ticks => (nowTicks - minutes(count)) as Ticks
  const none = {
    label: 'none',
    title: 'No limit',
    evidence: ['The machine was 19 % busy, 12 % by this server.'],
    competing: [],
    others: [],
  } as const
  const waits = {
    label: 'client',
    title: 'Client or network',
    evidence: [
      'The busiest transaction merger waited for writes 91.2 % of the time, executed transactions 6.1 %, committed 2.7 %. About 410 /s written.',
    ],
    competing: [],
    others: ['The machine was 19 % busy, 12 % by this server.'],
  } as const
  if (!isBad) return [{ startTicks: ago(180), endTicks: nowTicks, ...none }]
  return [
    { startTicks: ago(180), endTicks: ago(24), ...none },
    {
      startTicks: ago(24),
      endTicks: ago(20),
      label: 'unknown',
      title: 'Not measured',
      evidence: ['Not measured: the CPU, the disks, the transaction merger.'],
      competing: [],
      others: [],
    },
    { startTicks: ago(20), endTicks: ago(13), ...waits },
    {
      startTicks: ago(13),
      endTicks: nowTicks,
      label: 'disk',
      title: 'Disk',
      evidence: ['Queue of /var/lib/ravendb: 31.4 requests on average.'],
      competing: ['The machine was 98.1 % busy, 61 % by this server.'],
      others: ['At least 1.4 GiB of memory available; low is below 1 GiB.'],
    },
  ]
}

export const bottlenecksResponse = (
  intervals: readonly Bottleneck[],
  { startTicks, endTicks }: BottlenecksParams,
): BottlenecksResponse => ({
  intervals: intervals.filter((each) => each.endTicks > startTicks && each.startTicks < endTicks),
  rules: [{ title: 'Disk', reason: 'Each sample of the queue of a volume has at least 8 requests.' }],
})
