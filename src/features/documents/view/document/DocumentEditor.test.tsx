import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { sessionOf } from '../../../../actions/client/session.ts'
import type { Draft } from '../../../../capture/client/drafts/draft.ts'
import { draftStore } from '../../../../capture/client/drafts/useDrafts.ts'
import type { EditorProps } from '../../../../ui/editor/editor-types.ts'
import { CaptureProvider } from '../../../../testing/CaptureProvider.tsx'
import { stubCapture } from '../../../../testing/stub-capture.ts'
import type { OpenedDocument } from '../../contract.ts'
import { DocumentEditor } from './DocumentEditor.tsx'
import type { Saved } from './useSaving.ts'

const server = vi.hoisted(() => ({
  save: (): Promise<Saved> => Promise.resolve({ outcome: 'saved', id: 'a/1' }),
  found: [] as string[],
}))

vi.mock('./useSaving.ts', () => ({
  useSaving: () => ({
    refusal: null,
    isSaving: false,
    save: () => server.save(),
    found: (entryId: string, changeVector: string) => void server.found.push(`${entryId} ${changeVector}`),
  }),
}))
vi.mock('../../../../ui/editor/Editor.tsx', () => ({
  Editor: ({ text, onChange, isReadOnly = false }: EditorProps) => (
    <textarea
      aria-label="Text"
      value={text}
      readOnly={isReadOnly}
      onChange={(event) => onChange?.(event.target.value)}
    />
  ),
  Diff: () => null,
  useDiffAhead: () => undefined,
}))
vi.mock('./DocumentActions.tsx', () => ({
  DocumentActions: ({ onSave }: { readonly onSave: () => void }) => (
    <button type="button" onClick={onSave}>
      Review
    </button>
  ),
}))
vi.mock('./DocumentFacts.tsx', () => ({ DocumentFacts: () => null }))
vi.mock('./useNewest.ts', () => ({ useNewest: () => null }))
vi.mock('../useOpen.ts', () => ({
  useOpen: () => ({ settings: { collection: null, prefix: '', id: 'a/1', isNew: false, part: 'text' }, go: vi.fn() }),
  openDocument: vi.fn(),
}))

const PLACE = { kind: 'document', server: 's', database: 'Shop', id: 'a/1' } as const
const version = (changeVector: string, text: string): OpenedDocument => ({
  id: 'a/1',
  changeVector,
  modified: '',
  collection: '',
  text,
  bytes: 1,
  flags: [],
  attachments: [],
  counters: [],
  series: [],
})

const CONFLICT = { outcome: 'conflict', entryId: 'e2' } as const
const LOST = { outcome: 'unknown', why: 'The connection was lost.', entryId: 'e1' } as const

let capture: ReturnType<typeof stubCapture>
let leave: () => void
let respond: (found: OpenedDocument | null) => void
interface Shown {
  readonly draft?: Draft
  readonly isDeleted?: boolean
}

function show(to: ReturnType<typeof stubCapture>, { draft, isDeleted = false }: Shown = {}): void {
  const first = version('A:1', '{ "N": 1 }')
  const { unmount } = render(
    <CaptureProvider capture={to}>
      <DocumentEditor
        place={PLACE}
        read={isDeleted ? { version: '', text: '' } : { version: 'A:1', text: first.text }}
        opened={isDeleted ? null : first}
        isReachable
        isDeleted={isDeleted}
        draft={draft ?? null}
      />
    </CaptureProvider>,
  )
  leave = unmount
}
beforeEach(() => {
  capture = stubCapture()
  capture.responses.set('documents.open', () => new Promise((resolve) => (respond = resolve)))
  show(capture)
})
const text = () => screen.getByRole<HTMLTextAreaElement>('textbox')
const type = (typed: string) => fireEvent.change(text(), { target: { value: typed } })
async function save(): Promise<void> {
  fireEvent.click(screen.getByText('Review'))
  respond = () => undefined
  const before = respond
  fireEvent.click(await screen.findByRole('button', { name: 'Save', hidden: true }))
  await waitFor(() => expect(respond).not.toBe(before))
}

it('keeps what is typed while a saved document is read again', async () => {
  type('{ "N": 2 }')
  await save()
  type('{ "N": 23 }')
  respond(version('A:2', '{ "N": 2 }'))
  await waitFor(() => expect(draftStore.getSnapshot().all?.[0]).toMatchObject({ base: 'A:2', text: '{ "N": 23 }' }))
  expect(text().value).toBe('{ "N": 23 }')
})

it('says so where the document was deleted before it was saved, and offers to create it', async () => {
  server.save = () => Promise.resolve(CONFLICT)
  type('{ "N": 3 }')
  await save()
  respond(null)
  expect(await screen.findByText('This document was deleted.')).toBeTruthy()
  expect(screen.getByText('Create it again')).toBeTruthy()
  expect(screen.queryByText(/It was not saved/)).toBeNull()
  expect(text().value).toBe('{ "N": 3 }')
  // The notice above the text says it all.
  expect([...sessionOf(capture).closedNotices.get()]).toEqual(['e2'])
  fireEvent.click(screen.getByText('Review'))
  expect(await screen.findByRole('button', { name: 'Create', hidden: true })).toBeTruthy()
})

it('says at once that the document of a draft was deleted, and creates it', async () => {
  leave()
  show(capture, { isDeleted: true, draft: { ...PLACE, base: 'A:0', baseText: '{}', text: '{ "N": 3 }', changedMs: 1 } })
  expect(screen.getByText('This document was deleted.')).toBeTruthy()
  fireEvent.click(screen.getByText('Create it again'))
  expect(await screen.findByRole('button', { name: 'Create', hidden: true })).toBeTruthy()
})

it('compares nothing where another client changed only what belongs to the document, such as attachments', async () => {
  server.save = () => Promise.resolve(CONFLICT)
  type('{ "N": 3 }')
  await save()
  respond(version('A:2', '{ "N": 1 }'))
  expect(await screen.findByText(/but not its text\. Save again\./)).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Conflict' })).toBeNull()
  expect(text().value).toBe('{ "N": 3 }')
  expect(draftStore.getSnapshot().all?.[0]).toMatchObject({ base: 'A:2', text: '{ "N": 3 }' })
})

it('compares nothing where a draft was typed on the same text', () => {
  leave()
  const draft = { ...PLACE, base: 'A:0', baseText: '{ "N": 1 }', text: '{ "N": 3 }', changedMs: 1 }
  show(capture, { draft })
  expect(text().value).toBe('{ "N": 3 }')
  expect(screen.queryByRole('region', { name: 'Conflict' })).toBeNull()
})

it('offers to load a database that was unloaded before the save', async () => {
  capture.responses.set('databases.counts', () => ({ loaded: true }))
  server.save = () => Promise.resolve({ outcome: 'refused', why: 'Not loaded.', entryId: 'e3', isUnloaded: true })
  type('{ "N": 3 }')
  fireEvent.click(screen.getByText('Review'))
  fireEvent.click(await screen.findByRole('button', { name: 'Save', hidden: true }))
  fireEvent.click(await screen.findByRole('button', { name: 'Load “Shop”' }))
  await waitFor(() => expect(screen.queryByText('Not loaded.')).toBeNull())
  expect(capture.calls.find(([name]) => name === 'databases.counts')?.[1]).toEqual({ database: 'Shop', load: true })
  expect(screen.getByRole('button', { name: 'Save', hidden: true })).toBeTruthy()
})

it('takes no key while a conflict is resolved, whose result would replace it', async () => {
  server.save = () => Promise.resolve(CONFLICT)
  type('{ "N": 4 }')
  await save()
  respond(version('A:3', '{ "N": 1, "M": 1 }'))
  expect(await screen.findByText(/Another client has changed this document/)).toBeTruthy()
  expect(text().readOnly).toBe(true)
})

it('finds by reading that a save without a response has arrived', async () => {
  server.save = () => Promise.resolve(LOST)
  server.found = []
  type('{"N":5}')
  await save()
  expect(screen.getByText('It is not known whether it was saved; the text is kept.')).toBeTruthy()
  respond(version('A:4', '{\n    "N": 5\n}'))
  await waitFor(() => expect(draftStore.getSnapshot().all).toEqual([]))
  expect(screen.queryByText(/the text is kept/)).toBeNull()
  expect(text().value).toBe('{\n    "N": 5\n}')
  expect(server.found).toEqual(['e1 A:4'])
})

it('stops reading what became of a save when it is left', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  server.save = () => Promise.resolve(LOST)
  type('{ "N": 8 }')
  await save()
  const reads = (): number => capture.calls.filter(([name]) => name === 'documents.open').length
  respond(version('A:1', '{ "N": 1 }'))
  await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0))
  const before = reads()
  leave()
  await vi.advanceTimersByTimeAsync(5000)
  expect(reads()).toBe(before)
  vi.useRealTimers()
})

it.each([
  ['deleted', 'There is no database “Shop” on this server.'],
  ['disabled', '“Shop” is disabled.'],
])('says that another client has %s the database, and keeps the text', async (_, reason) => {
  leave()
  capture = stubCapture()
  capture.responses.set('databases.closure', () => ({ reason }))
  show(capture)
  expect(await screen.findByText(reason)).toBeTruthy()
  expect(screen.getByText(/This text is still here: Download keeps it/)).toBeTruthy()
  type('{ "N": 9 }')
  expect(screen.getByText(/what you typed is kept as a draft/)).toBeTruthy()
})

it('compares the text of a save without a response where another client has written', async () => {
  server.save = () => Promise.resolve(LOST)
  type('{ "N": 6 }')
  await save()
  respond(version('A:5', '{ "N": 7 }'))
  expect(await screen.findByText(/Another client has changed this document/)).toBeTruthy()
})
