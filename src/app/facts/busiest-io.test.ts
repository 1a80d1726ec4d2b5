import { expect, it } from 'vitest'
import { sourceId, type SourceRef } from '../../capture/client/state.ts'
import { IoFeed } from '../../feeds/io/data/feed.ts'
import { BusiestIo } from './busiest-io.ts'

function follower() {
  let busiest: string | null | undefined
  const watched: (string | null)[] = []
  const io = new IoFeed()
  const busy = new BusiestIo(io, () => busiest)
  busy.begin(null, (feed, ref: SourceRef | null) => {
    expect(feed).toBe(io)
    const id = ref === null ? null : sourceId(ref)
    if (watched.at(-1) !== id) watched.push(id)
  })
  const at = (seconds: number, name: string | null | undefined): (string | null)[] => {
    busiest = name
    busy.follow(seconds * 1000)
    return watched
  }
  return { at, busy }
}

it('watches the busiest database at once, and another when it has been busiest for 20 s', () => {
  const { at } = follower()
  expect(at(0, null)).toEqual([null])
  expect(at(5, 'shop')).toEqual([null, 'db:shop'])
  expect(at(10, 'orders')).toHaveLength(2)
  // The first is the busiest again in between.
  expect(at(20, 'shop')).toHaveLength(2)
  expect(at(30, 'orders')).toHaveLength(2)
  expect(at(49, 'orders')).toHaveLength(2)
  expect(at(50, 'orders')).toEqual([null, 'db:shop', 'db:orders'])
})

it('ends when nothing has been at work for 20 s', () => {
  const { at } = follower()
  at(0, 'shop')
  expect(at(10, null)).toEqual(['db:shop'])
  expect(at(30, null)).toEqual(['db:shop', null])
})

it('awaits what is not known yet, and nothing of a server without work', () => {
  const { at, busy } = follower()
  at(0, undefined)
  expect(busy.isAwaited).toBe(true)
  expect(at(5, null)).toEqual([null])
  expect(busy.isAwaited).toBe(false)
})
