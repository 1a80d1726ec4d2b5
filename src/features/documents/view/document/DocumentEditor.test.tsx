import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { draftStore } from '../../../../capture/client/drafts/useDrafts.ts'
import type { EditorProps } from '../../../../ui/editor/editor-types.ts'
import { CaptureProvider } from '../../../../testing/CaptureProvider.tsx'
import { stubCapture } from '../../../../testing/stub-capture.ts'
import type { OpenedDocument } from '../../contract.ts'
import { DocumentEditor } from './DocumentEditor.tsx'
import type { Saved } from './useSaving.ts'

const server = vi.hoisted(() => ({ save: (): Promise<Saved> => Promise.resolve({ outcome: 'saved', id: 'a/1' }) }))

vi.mock('./useSaving.ts', () => ({
  useSaving: () => ({ refusal: null, isSaving: false, save: () => server.save() }),
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

let respond: (found: OpenedDocument | null) => void
beforeEach(() => {
  const capture = stubCapture()
  capture.responses.set('documents.open', () => new Promise((resolve) => (respond = resolve)))
  const first = version('A:1', '{ "N": 1 }')
  render(
    <CaptureProvider capture={capture}>
      <DocumentEditor
        place={PLACE}
        read={{ version: 'A:1', text: first.text }}
        opened={first}
        isReachable
        draft={null}
      />
    </CaptureProvider>,
  )
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
  server.save = () => Promise.resolve({ outcome: 'conflict' })
  type('{ "N": 3 }')
  await save()
  respond(null)
  expect(await screen.findByText(/was deleted, or cannot be read now/)).toBeTruthy()
  expect(screen.getByText('Create it again')).toBeTruthy()
  expect(text().value).toBe('{ "N": 3 }')
})

it('takes no key while a conflict is resolved, whose result would replace it', async () => {
  server.save = () => Promise.resolve({ outcome: 'conflict' })
  type('{ "N": 4 }')
  await save()
  respond(version('A:3', '{ "N": 1, "M": 1 }'))
  expect(await screen.findByText(/Another client has changed this document/)).toBeTruthy()
  expect(text().readOnly).toBe(true)
})

it('finds by reading that a save without a response has arrived', async () => {
  server.save = () => Promise.resolve({ outcome: 'unknown', why: 'The connection was lost.' })
  type('{"N":5}')
  await save()
  expect(screen.getByText('It is not known whether it was saved; the text is kept.')).toBeTruthy()
  respond(version('A:4', '{\n    "N": 5\n}'))
  await waitFor(() => expect(draftStore.getSnapshot().all).toEqual([]))
  expect(screen.queryByText(/the text is kept/)).toBeNull()
  expect(text().value).toBe('{\n    "N": 5\n}')
})

it('compares the text of a save without a response where another client has written', async () => {
  server.save = () => Promise.resolve({ outcome: 'unknown', why: 'The connection was lost.' })
  type('{ "N": 6 }')
  await save()
  respond(version('A:5', '{ "N": 7 }'))
  expect(await screen.findByText(/Another client has changed this document/)).toBeTruthy()
})
