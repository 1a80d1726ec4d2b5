import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { expect, it } from 'vitest'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { stubCapture } from '../../../testing/stub-capture.ts'
import type { SourceId } from '../../client/state.ts'
import { AddLane, offersOf } from './AddLane.tsx'
import { chosenKey, lanesOf } from './chosen.ts'
import { LanesContext, type LaneDefinition, type LaneId, type LoadLanes } from './lane.ts'
import { useComposed } from './useComposed.ts'

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

it('offers a lane for each object of a source, after those of whole sources', async () => {
  const [id, definition] = define('io.storage', {
    title: 'Storage',
    objects: () => Promise.resolve(['Documents', 'x']),
  })
  const LANES = [definition, ...definitions.values()]
  const stage = renderPanel(
    <LanesContext value={() => Promise.resolve({ LANES })}>
      <Host />
    </LanesContext>,
    stubCapture(),
    { sources: ['db:a'] },
  )
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Add lane' }))
  await screen.findByText('Storage: x of a')
  const offers = screen.getAllByRole('listitem').map((item) => item.querySelector('b')?.textContent)
  expect(offers).toEqual([...definitions.keys(), 'Storage: Documents of a', 'Storage: x of a'])
  await user.click(screen.getByRole('button', { name: /^Storage: x of a/ }))
  expect(stage.view().params['timeline.composed']).toBe(`${id}~x@db:a`)
})

const NO_LANES: readonly LaneId[] = []
const Host = (): ReactNode => <AddLane composed={useComposed('timeline', NO_LANES)} />

it('adds the first match once the lanes are loaded, where Enter came before', async () => {
  let arrive = (): void => undefined
  const load: LoadLanes = () =>
    new Promise((resolve) => {
      arrive = () => resolve({ LANES: [...definitions.values()] })
    })
  const stage = renderPanel(
    <LanesContext value={load}>
      <Host />
    </LanesContext>,
    stubCapture(),
  )
  const composed = (): string | undefined => stage.view().params['timeline.composed']
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Add lane' }))
  await user.type(screen.getByRole('searchbox', { name: 'Find a lane' }), 'operat{Enter}')
  expect(screen.getByRole('status').textContent).toBe('The lanes are loading …')
  expect(composed()).toBeUndefined()
  arrive()
  await waitFor(() => expect(composed()).toBe('server.operations'))
  expect(screen.queryByRole('dialog')).toBeNull()
})
