import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { sessionOf } from '../../actions/client/session.ts'
import type { ActionIndex } from '../../actions/contract.ts'
import type { ParamsOf, ResponseOf } from '../../capture/client/requests/requests.ts'
import type { SourceId } from '../../capture/client/state.ts'
import { renderPanel } from '../../testing/panel-stage.tsx'
import { databaseRow, stubCapture } from '../../testing/stub-capture.ts'
import { Palette } from './Palette.tsx'

afterEach(() => {
  localStorage.clear()
})

async function show(isForced = false) {
  const capture = stubCapture()
  capture.responses.set('actions.viewOnly', (params) => ({
    isForced,
    isOn: isForced || (params as { readonly isOn: boolean }).isOn,
  }))
  const { viewOnly } = sessionOf(capture)
  await viewOnly.apply()
  const onClose = vi.fn<() => void>()
  renderPanel(<Palette onClose={onClose} />, capture)
  const user = userEvent.setup()
  return { user, viewOnly, onClose }
}

it('turns view only on and off by its name, and has the focus in its field', async () => {
  const { user, viewOnly, onClose } = await show()
  await user.keyboard('view only{Enter}')
  expect(onClose).toHaveBeenCalledTimes(1)
  await expect.poll(() => viewOnly.getSnapshot()?.isOn).toBe(true)
  expect(await screen.findByRole('option', { name: /^View only: allow changes/ })).toBeTruthy()
  await user.keyboard('{Enter}')
  await expect.poll(() => viewOnly.getSnapshot()?.isOn).toBe(false)
})

it('says why view only cannot be turned off where the server forces it', async () => {
  const { user, viewOnly, onClose } = await show(true)
  await user.keyboard('view only{Enter}')
  expect(onClose).not.toHaveBeenCalled()
  expect(viewOnly.getSnapshot()?.isOn).toBe(true)
  expect(screen.getByRole('option').getAttribute('aria-disabled')).toBe('true')
  expect(screen.getByRole('option').textContent).toContain('--allow-changes')
})

type ListOf = ParamsOf<'actions.indexes'>

/** `listOf`: response about the indexes of a database; null: none comes. */
function showOf(
  unknown: readonly string[],
  listOf: (params: ListOf) => ResponseOf<'actions.indexes'> | null = () => ({ loaded: false }),
  sources: readonly SourceId[] = [],
) {
  const capture = stubCapture()
  const requested: unknown[] = []
  capture.responses.set('databases.list', () => ({
    version: 1,
    rows: [databaseRow('shop'), databaseRow('asleep', { state: 'unloaded' })],
    atMs: 0,
    complete: true,
  }))
  capture.responses.set('databases.indexNames', () => ({
    found: ['shop', 'asleep']
      .filter((name) => !unknown.includes(name))
      .map((database) => ({ database, names: database === 'shop' ? ['Orders/ByCompany'] : ['Users/Search'] })),
    unknown,
  }))
  capture.responses.set('actions.indexes', (params) => {
    requested.push(params)
    return listOf(params as ListOf) ?? new Promise(() => undefined)
  })
  renderPanel(<Palette onClose={() => undefined} />, capture, { sources })
  return { user: userEvent.setup(), requested }
}

it.each(['disk', 'slow', 'stale', 'config', 'certificate', 'heat map', 'notifications', 'budgets', 'overhead'])(
  'finds a place by “%s”, and asks no database for it',
  async (words) => {
    const { user, requested } = showOf([])
    await user.keyboard(words)
    expect((await screen.findAllByRole('option', { name: /Panel$|View$/ })).length).toBeGreaterThan(0)
    expect(requested).toEqual([])
  },
)

it('finds indexes of databases that are neither chosen nor loaded, and asks only the one whose index is typed', async () => {
  const { user, requested } = showOf([])
  await user.keyboard('users/s')
  expect(await screen.findByRole('option', { name: /^Users\/Search of asleep/ })).toBeTruthy()
  expect(screen.queryByRole('option', { name: /of shop/ })).toBeNull()
  await expect.poll(() => requested).toEqual([{ database: 'asleep' }])
})

const RUNNING: ActionIndex = {
  name: 'Orders/ByCompany',
  facts: { status: 'Running' },
  type: null,
  engine: null,
  isStale: false,
  lag: null,
  lastIndexingTicks: null,
  lastQueryingTicks: null,
  memoryBytes: null,
}

it('keeps the actions on an index in the list while its state is read again for another letter', async () => {
  const { user, requested } = showOf(
    [],
    ({ onlyKnown = false }) => (onlyKnown ? { loaded: true, atMs: 0, indexes: [RUNNING] } : null),
    ['db:shop'],
  )
  const pause = /^Pause indexing: “Orders\/ByCompany” of “shop”/
  await user.keyboard('pause by')
  await screen.findByRole('option', { name: pause })
  await user.keyboard('c')
  await expect.poll(() => requested).toContainEqual({ database: 'shop' })
  expect(screen.getByRole('option', { name: pause }).getAttribute('aria-selected')).toBe('true')
})

it('says where indexes were searched when nothing is found', async () => {
  const { user } = showOf(['asleep'])
  await user.keyboard('no such thing')
  expect(
    await screen.findByText(/No panel, database or action\. Indexes are searched in shop only; choose others\./),
  ).toBeTruthy()
  cleanup()
  const all = showOf([])
  await all.user.keyboard('no such thing')
  expect(await screen.findByText(/No panel, database, index or action of that name\./)).toBeTruthy()
})
