import { expect, it } from 'vitest'
import type { SourceId } from '../../client/state.ts'
import { offersOf } from './AddLane.tsx'
import { chosenKey, lanesOf } from './chosen.ts'
import type { LaneDefinition } from './lane.ts'

const define = (id: LaneDefinition['id'], parts: Partial<LaneDefinition> = {}): [string, LaneDefinition] => [
  id,
  { id, title: id, explains: '', scope: 'sources', heightPx: 20, load: () => Promise.reject(new Error(id)), ...parts },
]
const definitions = new Map([
  define('io.journals'),
  define('server.cpu', { scope: 'server', isRecorded: true }),
  define('server.operations', { scope: 'server' }),
])
const offered = (server: string | null, sources: readonly SourceId[], recorded: readonly SourceId[] = []) =>
  offersOf({ definitions, lanes: lanesOf(['server.cpu']) }, { server, sources, recorded }, () => '').map(
    ({ choice, isThere }) => `${chosenKey(choice)}${isThere ? ' is there' : ''}`,
  )

it('offers each source alone where there are several, and lanes of a server of each recorded one', () => {
  expect(offered(null, ['db:a'])).toEqual(['io.journals', 'server.cpu is there', 'server.operations'])
  const recorded = ['file:night/a_8080/x', 'file:night/a_8080/y', 'file:night/b_8080/x']
  expect(offered(null, ['db:a', 'file:day.zip/x', ...recorded], recorded)).toEqual([
    'io.journals',
    'io.journals@db:a',
    'io.journals@file:day.zip/x',
    ...recorded.map((source) => `io.journals@${source}`),
    'server.cpu is there',
    'server.cpu@file:night/a_8080/x',
    'server.cpu@file:night/b_8080/x',
    'server.operations',
  ])
})

it('offers each source of another server alone, and its own lanes beside those of this one', () => {
  expect(offered('b:8080', ['server', 'db:a'])).toEqual([
    'io.journals!b:8080@server',
    'io.journals!b:8080@db:a',
    'server.cpu!b:8080',
    'server.operations!b:8080',
  ])
})
