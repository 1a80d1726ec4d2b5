import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { Bytes } from '../../../base/brand.ts'
import type { FileEntry, FileState } from '../../../capture/client/state.ts'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import type { PanelStage } from '../../../testing/panel-stage.tsx'
import { rawCapture } from '../../../testing/raw-capture.ts'
import type { StubCapture } from '../../../testing/stub-capture.ts'
import { filesPanel } from '../panel.ts'
import FilesPanel from './FilesPanel.tsx'

const CONTENTS: Readonly<Record<string, string>> = {
  'server-wide/settings.json': JSON.stringify({
    '@metadata': { NodeTag: 'A' },
    '<script>alert(1)</script>': `<img src=x onerror="alert(1)">${'long '.repeat(1000)}`,
    Settings: Array.from({ length: 300 }, (_, n) => ({ Key: `Storage.Journal${n}`, Value: n })),
  }),
  'server-wide/status.txt': 'Name:   Raven.Server\nThreads: 71\n',
  'db/broken.json': '{"Environments":[{"Path":"/data"}],"Rest":[1,2',
}

const entry = (path: string, parts: Partial<FileEntry> = {}): FileEntry => ({
  path,
  bytes: 1000 as Bytes,
  feed: null,
  phase: 'listed',
  message: '',
  ...parts,
})

const file = (parts: Partial<FileState> = {}): FileState => ({
  id: 7,
  name: 'package.zip',
  phase: 'read',
  totalBytes: 76_798 as Bytes,
  readBytes: 76_798 as Bytes,
  startedMs: 1000,
  endedMs: 1100,
  message: '1 of 4 entries are data of panels.',
  faultAt: null,
  sources: ['file:package.zip/db'],
  servers: 0,
  entries: [
    ...Object.keys(CONTENTS).map((path) => entry(path)),
    entry('db/io-metrics.json', { feed: 'io', phase: 'read' }),
    entry('db/bomb.json', { phase: 'refused', message: 'It unpacks to more than 500 times its size.' }),
  ],
  ...parts,
})

let capture: StubCapture

function open(files: readonly FileState[], params: Record<string, string> = {}): PanelStage {
  capture = rawCapture((_file, path) => {
    const text = CONTENTS[path ?? ''] ?? null
    if (text === null) throw new Error(`There is no ${path ?? 'file'} here.`)
    return { blob: new Blob([text]) }
  })
  capture.responses.set('host.summary', () => ({
    rows: [{ feed: 'io', source: 'file:package.zip/db' }],
    gaps: [],
  }))
  capture.setState({ files })
  return renderPanel(<FilesPanel panel={filesPanel} />, capture, { params })
}

const calls = (name: string) => capture.calls.filter(([each]) => each === name)

describe('the panel of files', () => {
  it('says what can be opened and where to get it, and opens what is chosen', async () => {
    const user = userEvent.setup()
    const stage = open([], { 'files.focus': 'drop' })
    expect(screen.getByText(/Gather Debug Info/)).toBeTruthy()
    expect(screen.getByText('/databases/‹name›/debug/io-metrics')).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Choose files…' }))
    expect(stage.view().params).toEqual({})
    await user.upload(screen.getByLabelText('Files to open'), [new File(['{}'], 'a.json'), new File(['1'], 'b')])
    expect(calls('openFiles')).toEqual([['openFiles', ['a.json', 'b']]])
  })

  it('says that a link needs its file once more', () => {
    open([], { 'files.file': '<b>mine.zip' })
    expect(screen.getByRole('status').textContent).toContain('<b>mine.zip')
  })

  it('shows how far each file is, what is wrong with it and at which byte, and stops it', async () => {
    const user = userEvent.setup()
    const stage = open([
      file({
        phase: 'reading',
        endedMs: null,
        readBytes: 7_680 as Bytes,
        startedMs: Date.now() - 2000,
        message: '',
        entries: [],
      }),
      file({
        id: 8,
        name: 'cut.json',
        phase: 'broken',
        entries: [],
        message: 'The readable part ends at byte 1,234: expected "}", got the end.',
        faultAt: 1234,
      }),
      file({ id: 9, name: 'page.html', phase: 'refused', sources: [], entries: [], message: 'byte 0: expected "{"' }),
    ])
    expect(screen.getByRole('status').textContent).toBe('3 files, 1 being read, 2 with something wrong')
    const [reading, cut, page] = within(screen.getByRole('list', { name: 'Opened files' })).getAllByRole('listitem')
    expect(within(reading!).getByRole('progressbar').getAttribute('value')).toBe(String(7_680 / 76_798))
    expect(within(reading!).getByText(/^7\.50 KiB of 75\.0 KiB · 3\.\d+ KiB\/s · \d+(\.\d)? s left$/)).toBeTruthy()
    await user.click(within(reading!).getByRole('button', { name: 'Stop' }))
    expect(calls('cancelFile')).toEqual([['cancelFile', 7]])
    expect(within(page!).getByText('not read')).toBeTruthy()
    await user.click(within(cut!).getByRole('button', { name: 'Show byte 1,234' }))
    expect(stage.view().params).toMatchObject({ 'files.file': 'cut.json', 'files.at': '1234', 'files.as': 'text' })
  })

  it('adds what a file filled to the view, and takes it out again', async () => {
    const user = userEvent.setup()
    const stage = open([file()])
    expect((await screen.findAllByText('Show in I/O')).length).toBeGreaterThan(0)
    await user.click(screen.getByRole('button', { name: 'Add to the view' }))
    expect(stage.view().sources).toEqual(['file:package.zip/db'])
    await user.click(screen.getByRole('button', { name: 'Remove from the view' }))
    expect(stage.view().sources).toEqual([])
  })

  it('lists the entries of a package: where each is shown, why one is broken; found by a part of the path', async () => {
    const user = userEvent.setup()
    open([file()])
    const table = await screen.findByRole('table', { name: 'Entries of package.zip' })
    const row = await within(table).findByRole('row', { name: /io-metrics/ })
    expect(within(row).getByRole('link').textContent).toBe('I/O')
    expect(within(table).getByTitle('It unpacks to more than 500 times its size.').textContent).toBe('not read')
    await user.type(screen.getByRole('searchbox', { name: 'Filter entries by path' }), 'STATUS')
    expect(await screen.findByText('1 of 5')).toBeTruthy()
  })
})

describe('the raw viewer', () => {
  const show = (path: string, more: Record<string, string> = {}): PanelStage =>
    open([file()], { 'files.file': 'package.zip', 'files.entry': path, ...more })

  it('shows JSON as a tree that is opened, walked and closed by key', async () => {
    const user = userEvent.setup()
    show('server-wide/settings.json')
    const tree = await screen.findByRole('tree')
    expect((await within(tree).findByRole('treeitem', { name: /@metadata/ })).getAttribute('aria-level')).toBe('2')
    act(() => tree.focus())
    await user.keyboard('{ArrowDown}{ArrowRight}')
    expect(await within(tree).findByRole('treeitem', { name: /NodeTag/ })).toBeTruthy()
    await user.keyboard('{ArrowRight}')
    const current = (): HTMLElement => within(tree).getByRole('treeitem', { selected: true })
    expect(current().textContent).toContain('NodeTag')
    expect(tree.getAttribute('aria-activedescendant')).toBe(current().id)
    await user.keyboard('{ArrowLeft}{ArrowLeft}')
    expect(current().getAttribute('aria-expanded')).toBe('false')
    await user.keyboard('{Home}{ArrowLeft}')
    expect(within(tree).getAllByRole('treeitem')).toHaveLength(1)
  })

  it('shows values as text alone, long ones cut, and copies path and value', async () => {
    const user = userEvent.setup()
    show('server-wide/settings.json')
    const tree = await screen.findByRole('tree')
    await user.click(await within(tree).findByRole('treeitem', { name: /<script>/ }))
    const value = within(screen.getByRole('region', { name: 'Chosen value' }))
    expect(value.getByText('$["<script>alert(1)</script>"]')).toBeTruthy()
    await waitFor(() =>
      expect(value.getByLabelText('Value').textContent).toMatch(/^<img src=x onerror="alert\(1\)">long/),
    )
    expect(document.querySelector('img, script')).toBeNull()
    expect(value.getByLabelText('Value').textContent.length).toBeLessThan(2100)
    await user.click(value.getByRole('button', { name: /Show all/ }))
    await waitFor(() => expect(value.getByLabelText('Value').textContent).toHaveLength(30 + 5000))
    await user.click(value.getByRole('button', { name: 'Copy path' }))
    expect(await navigator.clipboard.readText()).toBe('$["<script>alert(1)</script>"]')
    await user.click(value.getByRole('button', { name: 'Copy value' }))
    expect((await navigator.clipboard.readText()).startsWith('"<img src=x onerror=\\"alert(1)')).toBe(true)
  })

  it('says when reading could not be stopped, or a hit not be gone to', async () => {
    const user = userEvent.setup()
    show('server-wide/settings.json')
    const status = capture.responses.get('raw.status')!
    capture.responses.set('raw.status', async (params) => ({ ...((await status(params)) as object), isWhole: false }))
    for (const name of ['raw.stop', 'raw.hit'] as const)
      capture.responses.set(name, () => {
        throw new Error('it is gone.')
      })
    await user.click(await screen.findByRole('button', { name: 'Stop' }))
    expect(await screen.findByText(/^Could not stop: it is gone/)).toBeTruthy()
    await user.type(screen.getByRole('searchbox', { name: 'Search in the text' }), 'JOURNAL29')
    expect(await screen.findByText(/^Could not go to the hit: it is gone/)).toBeTruthy()
  })

  it('shows what is no JSON as text, row by row with its bytes', async () => {
    show('server-wide/status.txt')
    const text = await screen.findByRole('list', { name: 'Text of server-wide/status.txt' })
    expect(await within(text).findByText('Threads: 71')).toBeTruthy()
    expect(within(text).getAllByRole('listitem')).toHaveLength(2)
    expect(within(text).getByText('21')).toBeTruthy()
  })

  it('searches: counts, goes from hit to hit, marks it, opens what it lies in', async () => {
    const user = userEvent.setup()
    const stage = show('server-wide/settings.json')
    await screen.findByRole('tree')
    await user.type(screen.getByRole('searchbox', { name: 'Search in the text' }), 'JOURNAL29')
    expect(await screen.findByText('1 of 11')).toBeTruthy()
    expect(await screen.findByText('$.Settings[29].Key')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Next hit (Enter)' }))
    expect(await screen.findByText('2 of 11')).toBeTruthy()
    expect(await screen.findByText('$.Settings[290].Key')).toBeTruthy()
    expect(stage.view().params['files.find']).toBe('JOURNAL29')
    await user.click(screen.getByRole('radio', { name: 'Text' }))
    await waitFor(() => expect(document.querySelector('mark[data-current]')?.textContent).toBe('Journal29'))
    await user.click(screen.getByRole('button', { name: 'Previous hit' }))
    expect(await screen.findByText('1 of 11')).toBeTruthy()
  })

  it('goes to a byte, and says where JSON ends', async () => {
    const user = userEvent.setup()
    const stage = show('db/broken.json')
    expect((await screen.findByText(/expected the rest of the document, got the end/)).textContent).toContain('byte 46')
    await user.click(screen.getByRole('button', { name: 'Show the byte' }))
    expect(await screen.findByRole('list', { name: 'Text of db/broken.json' })).toBeTruthy()
    expect(stage.view().params).toMatchObject({ 'files.as': 'text', 'files.at': '46' })
    const field = screen.getByRole('textbox', { name: 'Go to byte' })
    await user.type(field, '1,000{Enter}')
    expect(screen.getByRole('alert').textContent).toBe('It has 46 bytes.')
  })

  it('says why an entry cannot be read', async () => {
    show('db/bomb.json')
    expect((await screen.findAllByText(/There is no db\/bomb.json here/)).length).toBeGreaterThan(0)
  })
})
