import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { Bytes } from '../../../base/brand.ts'
import { parseTicks } from '../../../base/ticks.ts'
import type { ErrorInfo } from '../../../capture/client/state.ts'
import type { View } from '../../../capture/client/view.ts'
import { AXIS_PX } from '../../../charts/timeline/axis-picture.ts'
import { settled } from '../../../charts/timeline/settle.ts'
import { fakeStacks, type FakeStacksClient } from '../../../testing/fake-stacks.ts'
import { renderPanel, type PanelStage } from '../../../testing/panel-stage.tsx'
import type { SnapshotFailure, SnapshotProgress, SeriesState } from '../../../feeds/stacks/contract/snapshots.ts'
import { formatThread } from './params.ts'
import { stacksPanel } from '../panel.ts'
import StacksPanel from './StacksPanel.tsx'

async function openPanel(client: FakeStacksClient, parts: Partial<View> = {}): Promise<PanelStage> {
  const stage = renderPanel(<StacksPanel panel={stacksPanel} />, client, { sources: ['server'], ...parts })
  await screen.findByRole('region', { name: 'Stacks' })
  if ((parts.sources ?? ['server']).length > 0) await screen.findByText(/^(At \d|No stack snapshot)/)
  await settled()
  return stage
}
const openTab = (tab: string, params: Record<string, string> = {}): Partial<View> => ({
  params: { 'stacks.tab': tab, ...params },
})
const requestedFor = (client: FakeStacksClient, name: string): unknown[] =>
  client.requested.filter((each) => each.name === name).map((each) => each.query)
const failureOf = (parts: Partial<SnapshotFailure>): SnapshotFailure => ({
  kind: 'helper-missing',
  step: 'attaching',
  message: 'The server has no Raven.Debug beside it.',
  remedy: 'Put the helper of the official download beside Raven.Server.',
  error: null,
  ...parts,
})

describe('StacksPanel', () => {
  it('says first what stands out, and what a click would cost', async () => {
    await openPanel(await fakeStacks())
    await waitFor(() =>
      expect(screen.getByText(/9 of 59 threads waited for the disk, 1 for the network; 14 ran\./)).toBeTruthy(),
    )
    expect(
      screen.getByText(/Most CPU goes to Requests: [\d.]+ % of the machine; the server as a whole uses 64.0 %/),
    ).toBeTruthy()
    expect(screen.getByText(/could not be attributed/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Take stack snapshot' }).textContent).toBe('Take stack snapshot')
    expect(
      screen.getByText(/helper attaches to it for that moment.*The last one took 1.07 s and 78.0 KiB/),
    ).toBeTruthy()
  })

  it('takes no snapshot by itself nor at a stray key, and asks once at a click', async () => {
    const user = userEvent.setup()
    const client = await fakeStacks({ snapshots: 0 })
    await openPanel(client)
    expect(requestedFor(client, 'stacks.snapshot')).toEqual([])
    const plot = await screen.findByRole('application', { name: /CPU of the machine/ })
    for (const place of [document.body, plot, screen.getByRole('button', { name: 'Take stack snapshot' })]) {
      place.focus()
      await user.keyboard('cC')
    }
    expect(requestedFor(client, 'stacks.snapshot')).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Take stack snapshot' }))
    expect(requestedFor(client, 'stacks.snapshot')).toEqual([{ source: 'server' }])
  })

  it('says when the worker could not even ask for it, or begin a series', async () => {
    const user = userEvent.setup()
    const client = await fakeStacks()
    await openPanel(client)
    const error = { endpoint: 'the worker', status: null, message: 'It is gone.', serverMessage: null, hint: 'Reload.' }
    client.failWith(error)
    await user.click(screen.getByRole('button', { name: 'Take stack snapshot' }))
    expect((await screen.findByText('Could not take a snapshot: It is gone.')).closest('[role=alert]')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Series …' }))
    await user.click(screen.getByRole('button', { name: 'Start series' }))
    expect(await screen.findByText('Could not begin the series: It is gone. Reload.')).toBeTruthy()
  })

  it('shows the step that a snapshot is at, and can stop waiting', async () => {
    const user = userEvent.setup()
    const client = await fakeStacks()
    await openPanel(client)
    const progress: SnapshotProgress = {
      step: 'sampling',
      requestedMs: Date.now() - 3000,
      giveUpMs: Date.now() + 30_000,
      isElsewhere: false,
    }
    client.setStacks({ state: { progress } })
    const steps = await screen.findByRole('list', { name: 'Steps of the snapshot' })
    expect(within(steps).getByText('Sampling').getAttribute('aria-current')).toBe('step')
    expect(screen.getByText(/takes samples of all threads · \d s, gives up in/)).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Take stack snapshot' }).disabled).toBe(true)
    await user.click(screen.getByRole('button', { name: 'Stop waiting' }))
    expect(requestedFor(client, 'stacks.stop')).toHaveLength(1)
  })

  it('says at which step it failed and what to do, and keeps what there is', async () => {
    const client = await fakeStacks()
    await openPanel(client)
    const error: ErrorInfo = {
      endpoint: '/admin/debug/threads/stack-trace',
      status: 500,
      message: '',
      serverMessage: 'Could not find debugger tool at …',
      hint: '',
    }
    client.setStacks({ state: { failure: failureOf({ error }), failedMs: Date.now() } })
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toMatch(/no Raven\.Debug/)
    expect(alert.textContent).toMatch(/official download/)
    expect(alert.textContent).toMatch(/step “Attaching”.*HTTP 500.*Earlier snapshots stay/)
    expect(within(alert).getByText(/debugger tool/)).toBeTruthy()
    expect(await screen.findByRole('table', { name: 'Threads' })).toBeTruthy()
  })

  it('begins a series with what it would cost, shows how far it is, and stops it', async () => {
    const user = userEvent.setup()
    const client = await fakeStacks()
    await openPanel(client)
    await user.click(screen.getByRole('button', { name: 'Series …' }))
    const dialog = screen.getByRole('dialog', { name: 'Take a series of snapshots' })
    expect(dialog.textContent).toMatch(/30 snapshots in about 4 min 50 s.*attached for 10\.7 % of the time, 2\.29 MiB/)
    const every = within(dialog).getByRole('textbox', { name: 'Every' })
    await user.clear(every)
    await user.type(every, '1{Enter}')
    expect(within(dialog).getByRole('alert').textContent).toBe('At least 2.')
    await user.clear(every)
    await user.type(every, '5{Enter}')
    await user.click(within(dialog).getByRole('button', { name: 'Start series' }))
    expect(requestedFor(client, 'stacks.series')).toEqual([{ source: 'server', everyMs: 5000, count: 30 }])
    const series: SeriesState = {
      id: 1,
      everyMs: 5000,
      count: 30,
      done: 12,
      failed: 1,
      nextMs: Date.now() + 3000,
      slowed: 'the server answers slowly',
      phase: 'running',
      tookMs: 12_000,
      bytes: 983_040 as Bytes,
    }
    client.setStacks({ state: { series } })
    await screen.findByText(/Series: 12 of 30, 1 failed, next in \d s; so far 12.0 s attached, 960 KiB/)
    expect(screen.getByText(/Slower than planned: the server answers slowly/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Stop series' }))
    expect(requestedFor(client, 'stacks.stop')).toHaveLength(1)
  })

  it('groups threads by job; a group opens, and a thread shows its stack', async () => {
    const user = userEvent.setup()
    const stage = await openPanel(await fakeStacks())
    const table = await screen.findByRole('table', { name: 'Threads' })
    await user.click(await within(table).findByText('Transaction merger of shop'))
    const card = await screen.findByRole('region', { name: 'Selected thread' })
    expect(stage.view().selection).toBe(formatThread(1000))
    const frames = await within(card).findByRole('list', { name: 'Stack, innermost first' })
    expect(within(frames).getAllByRole('listitem').length).toBeGreaterThan(4)
    expect(within(card).getByText(/CPU now/)).toBeTruthy()
    expect(within(card).getByRole('link', { name: 'Its I/O over time' })).toBeTruthy()
    expect(within(table).queryByText('.NET TP Worker')).toBeNull()
    await user.click(within(table).getByText('Thread pool'))
    await waitFor(() => expect(within(table).getAllByText('.NET TP Worker').length).toBeGreaterThan(5))
  })

  it('filters threads by text, expression, wait and job', async () => {
    const user = userEvent.setup()
    const stage = await openPanel(await fakeStacks())
    await user.type(screen.getByRole('searchbox', { name: 'Search threads and frames' }), 'JournalWriter')
    await waitFor(() => expect(stage.view().params['stacks.find']).toBe('JournalWriter'))
    await screen.findByText(/^\d of 60 threads/)
    await user.click(screen.getByRole('checkbox', { name: 'Regex' }))
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: '(' } })
    await screen.findByText('Invalid expression: missing closing )')
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: '' } })
    await user.click(await screen.findByRole('button', { name: /^Disk: \d+ thread/ }))
    expect(stage.view().params['stacks.waits']).toBe('disk')
    await screen.findByText(/^\d+ of 60 threads/)
    await user.click(screen.getByRole('button', { name: 'Remove the filter Disk' }))
    expect(stage.view().params['stacks.waits']).toBeUndefined()
  })

  it('shows live threads without any snapshot, and asks for them only while that is wanted', async () => {
    const user = userEvent.setup()
    const client = await fakeStacks({ snapshots: 1 })
    client.setStacks({ state: { snapshots: [] } })
    const stage = await openPanel(client)
    expect(await screen.findByText(/No stack snapshot yet\./)).toBeTruthy()
    expect(requestedFor(client, 'threads.want').length).toBeGreaterThan(0)
    expect(await within(await screen.findByRole('table', { name: 'Threads' })).findByText('Thread pool')).toBeTruthy()
    await user.click(screen.getByRole('checkbox', { name: 'Live threads' }))
    expect(stage.view().params['stacks.live']).toBe('off')
  })

  it('draws CPU of the machine by job, with the rest of process and machine and the snapshot over it', async () => {
    const stage = await openPanel(
      await fakeStacks({ snapshots: 3 }),
      openTab('threads', { 'stacks.vs': 'previous', 'stacks.cpu': 'on' }),
    )
    const legend = await screen.findByRole('table', { name: 'CPU of the machine in this range' })
    for (const name of ['Rest of process', 'Rest of machine', 'Idle'])
      expect(within(legend).getByRole('rowheader', { name: new RegExp(name) })).toBeTruthy()
    const plot = screen.getByRole('application', { name: 'CPU of the machine by job over time' })
    const recording = stage.recordings.get(plot.querySelector('canvas')!)!
    await waitFor(() => expect(recording.texts()).toEqual(expect.arrayContaining(['A', 'B', '100 %'])))
    const tall = recording.of('fillRect').filter(({ args }) => (args[1] as number) >= AXIS_PX)
    expect(tall.length).toBeGreaterThan(100)
  })

  it('shows at a click the snapshot of a mark over its CPU', async () => {
    const client = await fakeStacks({ snapshots: 3 })
    const stage = await openPanel(client, openTab('threads', { 'stacks.cpu': 'on' }))
    const plot = await screen.findByRole('application', { name: 'CPU of the machine by job over time' })
    await waitFor(() => expect(stage.recordings.get(plot.querySelector('canvas')!)!.texts()).toContain('A'))
    plot.focus()
    const user = userEvent.setup()
    await user.keyboard('m{ArrowDown}')
    await screen.findByText(/^Stack snapshots: Stack snapshot, .* Enter selects it\.$/)
    await user.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}{Enter}')
    expect(stage.view().params['stacks.of']).toBe(String(client.stacks.snapshots[0]!.info.atTicks))
    expect(stage.view().selection).toBeNull()
  })

  it('merges stacks into a flame graph: search, zoom by keys, breadcrumb, and the link carries it', async () => {
    const user = userEvent.setup()
    const stage = await openPanel(
      await fakeStacks(),
      openTab('flame', { 'stacks.find': 'JournalWriter', 'stacks.fold': 'off' }),
    )
    const chart = await screen.findByRole('application', { name: 'Icicle of stacks' })
    await screen.findByText(/“JournalWriter” is in [\d.]+ % of what is shown: 1 function matches/)
    chart.focus()
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{Enter}')
    await waitFor(() => expect(stage.view().params['stacks.zoom']).toBeTruthy())
    const zoomed = stage.view().params['stacks.zoom']!.split('\n')
    expect(zoomed).toHaveLength(2)
    const crumbs = screen.getByRole('navigation', { name: 'Zoomed to' })
    await waitFor(() => expect(within(crumbs).getAllByRole('button')).toHaveLength(3))
    await user.click(screen.getByRole('button', { name: 'Callers and callees' }))
    expect(stage.view().params['stacks.focus']).toBe(zoomed.at(-1))
    expect(await screen.findByRole('application', { name: 'Callers' })).toBeTruthy()
    expect(await screen.findByRole('application', { name: 'Callees' })).toBeTruthy()
  })

  it('opens a link to a zoomed flame graph where it was', async () => {
    const client = await fakeStacks()
    const path = client.stacks.snapshots[0]!.samples[0]!.frames.slice(0, 3)
    const stage = await openPanel(client, openTab('flame', { 'stacks.zoom': path.join('\n'), 'stacks.fold': 'off' }))
    const crumbs = await screen.findByRole('navigation', { name: 'Zoomed to' })
    await waitFor(() => expect(within(crumbs).getAllByRole('button')).toHaveLength(4))
    const chart = await screen.findByRole('application', { name: 'Icicle of stacks' })
    await waitFor(() => {
      const texts = stage.recordings.get(chart.querySelector('canvas')!)!.texts()
      expect(texts.some((text) => text.includes('MergeOperationThreadProc'))).toBe(true)
    })
  })

  it('has a table twin of the tree, and of the functions', async () => {
    const user = userEvent.setup()
    const stage = await openPanel(await fakeStacks(), openTab('flame', { 'stacks.table': 'on' }))
    const tree = await screen.findByRole('table', { name: 'Tree of functions' })
    const first = (await within(tree).findAllByRole('button', { name: /^Open / }))[0]!
    const before = within(tree).getAllByRole('row').length
    await user.click(first)
    await waitFor(() => expect(within(tree).getAllByRole('row').length).toBeGreaterThan(before))
    await user.click(screen.getByRole('radio', { name: 'Functions' }))
    const functions = await screen.findByRole('table', { name: 'Functions' })
    await user.click((await within(functions).findAllByText('JournalWriter.Write'))[0]!)
    expect(stage.view().params['stacks.dir']).toBe('around')
    expect(stage.view().params['stacks.focus']).toMatch(/JournalWriter\.Write/)
  })

  it('compares with the snapshot before, in both colours, and says what grew', async () => {
    await openPanel(await fakeStacks({ snapshots: 2 }), openTab('functions', { 'stacks.vs': 'previous' }))
    const functions = await screen.findByRole('table', { name: 'Functions' })
    expect(within(functions).getByRole('columnheader', { name: /Compared with/ })).toBeTruthy()
    await waitFor(() => expect(within(functions).getAllByText(/^[+−×]|vanished|new|same/).length).toBeGreaterThan(3))
  })

  it('compares two ranges: one is held, while the view goes on to the other', async () => {
    const user = userEvent.setup()
    const client = await fakeStacks({ snapshots: 6 })
    const [first, , third, , , last] = client.stacks.snapshots.map(({ info }) => info.atTicks)
    const range = { startTicks: first!, endTicks: third! }
    const stage = await openPanel(client, { ...openTab('flame', { 'stacks.of': 'all' }), range })
    await user.selectOptions(screen.getByRole('combobox', { name: 'Compare with' }), 'Those in the range as it is now')
    expect(stage.view().params['stacks.vs']).toBe(`${first}..${third}`)
    await waitFor(() => {
      const requested = requestedFor(client, 'stacks.flame').at(-1) as {
        view: { against: { snapshots: number[] } | null }
      }
      expect(requested.view.against?.snapshots).toEqual([1, 2])
    })
    expect(last).toBeGreaterThan(third!)
    expect(screen.getByText(/^less or vanished/)).toBeTruthy()
  })

  it('shows each job over time; keys step through the cells and Enter looks at the snapshot', async () => {
    const user = userEvent.setup()
    const client = await fakeStacks({ snapshots: 5 })
    const stage = await openPanel(client, openTab('time'))
    const plot = await screen.findByRole('application', { name: 'What each job waited for over time' })
    plot.focus()
    await user.keyboard('{ArrowDown}{ArrowLeft}{ArrowLeft}')
    await screen.findByText(/Enter selects that snapshot/)
    await user.keyboard('{Enter}')
    const at = client.stacks.snapshots[2]!.info.atTicks
    expect(stage.view().params['stacks.of']).toBe(String(at))
    await user.click(within(screen.getByRole('region', { name: 'Stacks' })).getByRole('button', { name: 'Table' }))
    expect(await screen.findByRole('table', { name: 'What each job waited for' })).toBeTruthy()
  })

  it('steps through snapshots with [ and ] from the list alone', async () => {
    const user = userEvent.setup()
    const client = await fakeStacks({ snapshots: 5 })
    const stage = await openPanel(client, openTab('threads'))
    const table = await screen.findByRole('table', { name: 'Threads' })
    const before = stage.view().params['stacks.of']
    screen.getByRole('button', { name: 'Take stack snapshot' }).focus()
    await user.keyboard('[[')
    expect(stage.view().params['stacks.of']).toBe(before)
    await user.click(await within(table).findByText('Thread pool'))
    await user.keyboard('[[')
    expect(stage.view().params['stacks.of']).not.toBe(before)
  })

  it('shows a file without anything that needs a server', async () => {
    const client = await fakeStacks({ source: 'file:stacks.json' })
    await openPanel(client, { sources: ['file:stacks.json'] })
    expect(screen.queryByRole('button', { name: 'Take stack snapshot' })).toBeNull()
    expect(screen.queryByRole('application')).toBeNull()
    expect(requestedFor(client, 'threads.want')).toEqual([])
    expect(await within(await screen.findByRole('table', { name: 'Threads' })).findByText('Thread pool')).toBeTruthy()
  })

  it('says what to do when nothing is chosen, and why when the live list is refused', async () => {
    const client = await fakeStacks()
    await openPanel(client, { sources: [] })
    expect(screen.getByText('No source selected')).toBeTruthy()
    cleanup()
    const error: ErrorInfo = {
      endpoint: '/threads-info/watch',
      status: 403,
      message: 'The server refuses this certificate.',
      serverMessage: null,
      hint: 'An administrator grants the right Operator.',
    }
    client.setStacks({ live: { phase: 'refused', error } })
    await openPanel(client)
    expect((await screen.findByText('The server refuses this certificate.')).textContent).toBeTruthy()
    expect(screen.getByText(/right Operator/)).toBeTruthy()
    cleanup()
    const atTicks = parseTicks('2026-11-20T04:01:30Z')
    client.setStacks({ live: { phase: 'paused-by-rookery', message: 'It costs 1 %.', error: null, atTicks } })
    await openPanel(client)
    expect(
      (await screen.findByText(/Live threads: Paused by Rookery \(overhead limit\)\. It costs 1 %\./)).textContent,
    ).toContain('The threads shown are those of 04:01:30.')
  })
})
