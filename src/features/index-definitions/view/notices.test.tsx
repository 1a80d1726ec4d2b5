import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { useState, type ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ActivityEntry } from '../../../actions/client/activity-entry.ts'
import { CaptureError } from '../../../capture/client/client.ts'
import { draftStore } from '../../../capture/client/drafts/useDrafts.ts'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { stubCapture, unanswered } from '../../../testing/stub-capture.ts'
import type { EditorProps } from '../../../ui/editor/editor-types.ts'
import type { SavedDefinition } from '../contract.ts'
import { DocumentInIndex } from './DocumentInIndex.tsx'
import { FailingDocument } from './FailingDocument.tsx'
import { SavedIndex } from './SavedIndex.tsx'
import { Terms } from './Terms.tsx'

const sent = vi.hoisted(() => ({ error: null as ActivityEntry['error'] }))
vi.mock('./useSave.ts', () => ({
  useSave: () => ({
    refusal: null,
    entry: null,
    isSending: false,
    save: () => Promise.resolve(sent as ActivityEntry),
  }),
}))
vi.mock('../../../ui/editor/Editor.tsx', () => ({
  Editor: ({ label, text, onChange }: EditorProps) => (
    <textarea aria-label={label} value={text} onChange={(event) => onChange?.(event.target.value)} />
  ),
  Diff: () => null,
  useDiffAhead: () => undefined,
}))

const SAVED: SavedDefinition = {
  maps: ['from o in docs.Orders select new { o.N }'],
  reduce: '',
  sources: [],
  options: '{}',
  json: '{"Name":"ByN","Type":"Map"}',
  isStale: true,
  reasons: ['Documents to process'],
  replacement: null,
}

let capture: ReturnType<typeof stubCapture>
let saved: SavedDefinition
beforeEach(async () => {
  saved = SAVED
  capture = stubCapture()
  capture.responses.set('definitions.read', () => ({ loaded: true, definition: saved }))
  await draftStore.read()
  draftStore.remove({ kind: 'index', server: 's', database: 'Shop', id: 'ByN' })
})
afterEach(() => {
  vi.useRealTimers()
})

const page = (isStale = false, onBegin = vi.fn(), isListed: boolean | null = true) => (
  <SavedIndex
    server="s"
    database="Shop"
    index="ByN"
    others={[]}
    errors={0}
    isStale={isStale}
    isListed={isListed}
    onSaved={vi.fn()}
    onBegin={onBegin}
  />
)
const show = (...parts: Parameters<typeof page>) => renderPanel(page(...parts), capture)

async function save(): Promise<void> {
  const map = await screen.findByRole('textbox', { name: 'Map' })
  fireEvent.change(map, { target: { value: 'from o in docs.Orders select new { o.M }' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save …' }))
  fireEvent.click(screen.getByRole('button', { name: 'Save index' }))
}

it('says after a save that its history could not be read, and gives the focus to the name', async () => {
  capture.responses.set('definitions.history', () => {
    throw new Error('no')
  })
  show()
  await save()
  expect(
    await screen.findByText(/Whether another client saved this index at the same moment is not known/),
  ).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'ByN' }))
})

it('says nothing of other clients where the history is read', async () => {
  capture.responses.set('definitions.history', () => ({ loaded: true, past: [] }))
  show()
  await save()
  await expect.poll(() => capture.calls.filter(([name]) => name === 'definitions.history')).toHaveLength(2)
  expect(screen.queryByText(/is not known/)).toBeNull()
})

it('says in words why the server refuses a definition', async () => {
  const serverMessage = "Could not set 'Indexing.MapBatchSize' configuration setting value."
  sent.error = { ...unanswered, kind: 'bad-request', serverMessage }
  capture.responses.set('definitions.history', () => ({ loaded: true, past: [] }))
  show()
  await save()
  expect((await screen.findByRole('alert')).textContent).toBe(serverMessage)
  sent.error = null
})

it('says that it is stale only as long as the list has it so', async () => {
  show(false)
  await screen.findByRole('textbox', { name: 'Map' })
  expect(screen.queryByText('It is stale.')).toBeNull()
  cleanup()
  show(true)
  expect(await screen.findByText('It is stale.')).toBeTruthy()
})

it('says that another client deleted it, once the list has it no longer, and leaves what is typed', async () => {
  function Watched(): ReactNode {
    const [isListed, setListed] = useState(true)
    return (
      <>
        <button type="button" onClick={() => setListed(false)}>
          Delete elsewhere
        </button>
        {page(false, vi.fn(), isListed)}
      </>
    )
  }
  renderPanel(<Watched />, capture)
  const map = await screen.findByRole('textbox', { name: 'Map' })
  fireEvent.change(map, { target: { value: 'from o in docs.Orders select new { o.M }' } })
  fireEvent.click(screen.getByRole('button', { name: 'Delete elsewhere' }))
  expect(screen.getByText('The index “ByN” is not in the server’s list any more.')).toBeTruthy()
  expect((map as HTMLTextAreaElement).value).toContain('o.M')
  capture.responses.set('definitions.read', () => ({ loaded: true, definition: null }))
  fireEvent.click(screen.getByRole('button', { name: 'Read again' }))
  expect(await screen.findByText('The index “ByN” was deleted.')).toBeTruthy()
})

it('says nothing of an index that the list never had, such as a list older than the index', async () => {
  function Watched(): ReactNode {
    const [isListed, setListed] = useState<boolean | null>(null)
    return (
      <>
        <button type="button" onClick={() => setListed(false)}>
          List arrives
        </button>
        {page(false, vi.fn(), isListed)}
      </>
    )
  }
  renderPanel(<Watched />, capture)
  await screen.findByRole('textbox', { name: 'Map' })
  fireEvent.click(screen.getByRole('button', { name: 'List arrives' }))
  expect(screen.queryByText(/is not in the server’s list any more/)).toBeNull()
})

it('leaves a database that is not loaded to the list, and reads the definition once that shows it is', async () => {
  vi.useFakeTimers()
  capture.responses.set('definitions.read', () => ({ loaded: false }))
  function Watched(): ReactNode {
    const [isListed, setListed] = useState<boolean | null>(null)
    return (
      <>
        <button type="button" onClick={() => setListed(true)}>
          List arrives
        </button>
        {page(false, vi.fn(), isListed)}
      </>
    )
  }
  const { container } = renderPanel(<Watched />, capture)
  const reads = (): number => capture.calls.filter(([name]) => name === 'definitions.read').length
  await act(() => vi.advanceTimersByTimeAsync(300_000))
  expect(reads()).toBe(1)
  expect(container.textContent).toBe('List arrives')
  capture.responses.set('definitions.read', () => ({ loaded: true, definition: saved }))
  fireEvent.click(screen.getByRole('button', { name: 'List arrives' }))
  expect(container.textContent).toContain('Reading the definition')
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(reads()).toBe(2)
  expect(screen.getByRole('heading', { name: 'ByN' })).toBeTruthy()
})

it('stops reading a replacement that is built for long, says so, and reads on at a click', async () => {
  vi.useFakeTimers()
  saved = { ...SAVED, replacement: { ...SAVED } }
  show()
  const reads = (): number => capture.calls.filter(([name]) => name === 'definitions.read').length
  await act(() => vi.advanceTimersByTimeAsync(300_000))
  expect(reads()).toBe(60)
  expect(screen.getByText('The replacement of this index is still being built.')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Read again' }))
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(reads()).toBeGreaterThan(60)
  expect(screen.queryByText('The replacement of this index is still being built.')).toBeNull()
})

it('offers no test on a server that cannot, and says from which version on', async () => {
  const version = { major: 5, minor: 4, productVersion: '5.4', fullVersion: '5.4.207', build: 54 }
  capture.responses.set('actions.access', () => ({ version, serverId: 's', certificate: null, licence: null }))
  show()
  const test = await screen.findByRole('button', { name: 'Test on 100 documents' })
  await expect.poll(() => test.hasAttribute('disabled')).toBe(true)
  expect(test.title).toBe('This server is older than 6.2, the first version that offers it.')
})

it('keeps what was typed in sight where the index was deleted meanwhile, and opens it as a new one', async () => {
  const begun = vi.fn()
  const isAtRisk = vi.spyOn(draftStore, 'isAtRisk', 'get').mockReturnValue(true)
  const remove = vi.spyOn(draftStore, 'remove').mockReturnValue()
  capture.responses.set('definitions.history', () => ({ loaded: true, past: [] }))
  show(false, begun)
  await screen.findByRole('textbox', { name: 'Map' })
  capture.responses.set('definitions.read', () => ({ loaded: true, definition: null }))
  await save()
  expect(await screen.findByText('The index “ByN” was deleted.')).toBeTruthy()
  expect(screen.getByLabelText('Definition that was not saved').textContent).toContain('new { o.M }')
  fireEvent.click(screen.getByRole('button', { name: 'Open as a new index' }))
  expect(begun).toHaveBeenCalledWith('ByN', expect.objectContaining({ maps: [expect.stringContaining('o.M')] }))
  await act(() => draftStore.flush())
  expect(remove).not.toHaveBeenCalled()
  isAtRisk.mockReturnValue(false)
  fireEvent.click(screen.getByRole('button', { name: 'Open as a new index' }))
  await expect.poll(() => remove).toHaveBeenCalled()
  vi.restoreAllMocks()
})

it('lists terms by frequency, and numbers among equals as numbers', async () => {
  const values = ['100', '9', '20', '1.5'].map((term) => ({ Range: term, Count: term === '20' ? 70_000 : 1 }))
  const rows = [JSON.stringify({ Name: 'N', Values: values })]
  capture.responses.set('query.fields', () => ({ loaded: true, fields: ['N'] }))
  capture.responses.set('query.run', () => ({ outcome: 'results', page: { rows } }))
  renderPanel(<Terms database="Shop" index="ByN" />, capture)
  const table = await screen.findByRole('table', { name: 'Terms of N' })
  expect(
    within(table)
      .getAllByRole('rowheader')
      .map((cell) => cell.textContent),
  ).toEqual(['20', '1.5', '9', '100'])
  expect(within(table).getAllByRole('cell')[0]?.textContent).toBe('70,000')
})

it('shows the terms of a new index once it has its fields, and whether they were read from a stale one', async () => {
  vi.useFakeTimers()
  capture.responses.set('query.fields', () => ({ loaded: true, fields: [] }))
  const rows = [JSON.stringify({ Name: 'N', Values: [{ Range: 'a', Count: 1 }] })]
  let isStale = true
  capture.responses.set('query.run', () => ({ outcome: 'results', page: { rows, isStale } }))
  renderPanel(<Terms database="Shop" index="ByN" />, capture)
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(screen.getByText(/The index has no field yet/)).toBeTruthy()
  capture.responses.set('query.fields', () => ({ loaded: true, fields: ['N'] }))
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(screen.getByRole('table', { name: 'Terms of N' })).toBeTruthy()
  expect(screen.getByRole('status').textContent).toMatch(/^1 term\. The index was stale when they were read/)
  isStale = false
  fireEvent.click(screen.getByRole('button', { name: 'Read again' }))
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(screen.getByRole('status').textContent).toBe('1 term.')
})

it('claims no terms of a database that is not loaded', async () => {
  capture.responses.set('query.fields', () => ({ loaded: true, fields: ['N'] }))
  capture.responses.set('query.run', () => ({ outcome: 'unloaded' }))
  renderPanel(<Terms database="Shop" index="ByN" />, capture)
  expect(await screen.findByText('The database is not loaded.')).toBeTruthy()
  expect(screen.queryByText(/0 terms/)).toBeNull()
})

it.each(['deleted', 'disabled'])(
  'says that another client has %s the database, and keeps the definition',
  async (state) => {
    capture.responses.set('databases.closure', () => ({ reason: `“Shop” is ${state}.` }))
    show()
    expect(await screen.findByText(`“Shop” is ${state}.`)).toBeTruthy()
    expect(screen.getByText(/The definition is still here\.$/)).toBeTruthy()
  },
)

it('leaves the editor where the definition cannot be read again', async () => {
  capture.responses.set('definitions.history', () => ({ loaded: true, past: [] }))
  show()
  await save()
  await expect.poll(() => capture.calls.filter(([name]) => name === 'definitions.read')).toHaveLength(3)
  capture.responses.set('definitions.read', () => ({ loaded: false }))
  await save()
  await expect.poll(() => capture.calls.filter(([name]) => name === 'definitions.read')).toHaveLength(5)
  expect(screen.getByRole('textbox', { name: 'Map' })).toBeTruthy()
  capture.responses.set('definitions.read', () => {
    throw new CaptureError(unanswered)
  })
  await save()
  await expect.poll(() => capture.calls.filter(([name]) => name === 'definitions.read').length).toBeGreaterThan(5)
  expect(screen.getByRole('textbox', { name: 'Map' })).toBeTruthy()
})

it('shows what was typed where the definition cannot be read at all', async () => {
  show()
  const map = await screen.findByRole('textbox', { name: 'Map' })
  fireEvent.change(map, { target: { value: 'from o in docs.Orders select new { o.M }' } })
  cleanup()
  capture = stubCapture()
  capture.responses.set('definitions.read', () => {
    throw new CaptureError(unanswered)
  })
  show()
  expect((await screen.findByLabelText('Definition that was not saved')).textContent).toContain('new { o.M }')
})

it('claims nothing of a failing document in a database that is not loaded', async () => {
  capture.responses.set('query.run', () => ({ outcome: 'unloaded' }))
  renderPanel(<FailingDocument database="Shop" id="orders/1" map={0} definition={SAVED} onFaults={vi.fn()} />, capture)
  expect(await screen.findByText('The database is not loaded.')).toBeTruthy()
  expect(screen.queryByText(/does not exist any more/)).toBeNull()
})

it.each([
  [2, '2 entries, as stored in the index.'],
  [500, 'The first 500 entries, as stored in the index.'],
])('counts %i entries of a document', async (count, words) => {
  const entries = Array<string>(count).fill('{}')
  capture.responses.set('definitions.ofDocument', () => ({ kind: 'entries', entries }))
  renderPanel(<DocumentInIndex database="Shop" index="ByN" isReduce={false} />, capture)
  fireEvent.change(screen.getByRole('textbox'), { target: { value: ' orders/1' } })
  fireEvent.click(screen.getByRole('button', { name: 'Show its entries' }))
  expect(await screen.findByText(words)).toBeTruthy()
  expect(capture.calls.find(([name]) => name === 'definitions.ofDocument')?.[1]).toMatchObject({ id: ' orders/1' })
})

it('has no change where the text is typed back', async () => {
  show()
  const map = await screen.findByRole('textbox', { name: 'Map' })
  fireEvent.change(map, { target: { value: 'from o in docs.Orders select new { o.M }' } })
  expect(screen.getByText(/changed here and not saved/)).toBeTruthy()
  fireEvent.change(map, { target: { value: SAVED.maps[0] } })
  expect(screen.queryByText(/changed here and not saved/)).toBeNull()
  expect(draftStore.of({ kind: 'index', server: 's', database: 'Shop', id: 'ByN' })).toBeNull()
})
