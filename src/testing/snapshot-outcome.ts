import type { StacksFeed } from '../feeds/stacks/data/feed.ts'
import type { Governor } from '../ravendb/governor/governor.ts'

/** Takes a snapshot of the server's stacks, and returns how it ended by the state of the feed. */
export async function snapshotBy({ responses }: Pick<StacksFeed, 'responses'>, governor: Governor) {
  await responses['stacks.snapshot']({ source: 'server' }, governor)
  const { failure, snapshots } = responses['stacks.state']()
  const newest = snapshots.at(-1)
  if (failure !== null) return { kind: 'failed', failure } as const
  return newest === undefined ? ({ kind: 'withdrawn' } as const) : ({ kind: 'taken', snapshot: newest.id } as const)
}
