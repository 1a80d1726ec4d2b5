import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Governor } from '../../ravendb/governor/governor.ts'
import { FakeRaven, json } from '../../testing/fake-raven.ts'
import { CANCELLED, type ActionCall, type CheckResult } from '../model.ts'
import { actionResponses } from './responses.ts'

let raven: FakeRaven
let governor: Governor
let responses: ReturnType<typeof actionResponses>['responses']
const never = new AbortController().signal

beforeEach(() => {
  raven = new FakeRaven()
  raven.databases.set('shop', 'loaded')
  raven.on(/next-operation-id/, () => ({ Id: 7, NodeTag: 'A' }))
  governor = new Governor(raven.env)
  governor.setViewOnly(false)
  responses = actionResponses().responses
})

const call = (action: string, inputs: ActionCall['inputs'] = {}): ActionCall => ({
  action,
  target: { kind: 'database', database: 'shop', name: null },
  inputs,
  facts: { documents: 1000 },
})
const EXPORT = call('database.export', { what: 'Documents only' })
const IMPORT = call('database.import', { what: 'Documents only', file: 'a.ravendbdump' })
const ACCEPTED = { OperationId: 7 }
const send = (of: ActionCall, file?: File) =>
  responses['actions.send']!({ call: of, requestId: 'id', ...(file === undefined ? {} : { file }) }, governor, never)
const check = (of: ActionCall): Promise<CheckResult> =>
  Promise.resolve(responses['actions.check']!({ call: of, accepted: ACCEPTED, startedMs: 0 }, governor, never))
const next = () => responses['actions.nextBytes']!({ requestId: 'id' }, governor, never)
const saved = (error: string | null, isDownload = false) =>
  responses['actions.saved']!({ requestId: 'id', error, isDownload }, governor, never)
const operation = (state: object): void => {
  raven.on(/operations\/state/, () => json({ Progress: null, Result: null, ...state }))
}
/** A file that comes in pieces; `end`: whole, or cut off. */
const stream = (pieces: readonly number[], end: 'whole' | 'cut' = 'whole'): Response =>
  new Response(
    new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const size of pieces) controller.enqueue(new Uint8Array(size))
        if (end === 'whole') controller.close()
        else controller.error(new TypeError('reset'))
      },
    }),
  )

describe('an export', () => {
  it('of an unloaded database loads it only where the dialog said so', async () => {
    raven.databases.set('shop', 'unloaded')
    raven.on(/smuggler\/export/, () => stream([5]))
    expect(await send(EXPORT)).toMatchObject({ outcome: 'refused' })
    expect(raven.loads).toEqual([])
    const warned = { ...EXPORT, facts: { state: 'unloaded' } }
    governor.setViewOnly(true)
    expect(await send(warned)).toMatchObject({ outcome: 'refused' })
    expect(raven.loads).toEqual([])
    governor.setViewOnly(false)
    raven.on(/next-operation-id/, () => {
      raven.databases.set('shop', 'loaded')
      return { Id: 7, NodeTag: 'A' }
    })
    expect(await send(warned)).toEqual({ outcome: 'accepted', response: ACCEPTED })
    expect(raven.loads).toEqual([expect.stringContaining('next-operation-id')])
    expect(governor.meter().cost.databasesLoaded).toBe(1)
  })

  it('comes in pieces that the page asks for, and is done when it is saved and the server says so', async () => {
    raven.on(/smuggler\/export/, () => stream([700_000, 700_000, 5]))
    operation({ Status: 'InProgress', Progress: { Documents: { ReadCount: 250 } } })
    expect(await send(EXPORT)).toEqual({ outcome: 'accepted', response: ACCEPTED })
    expect(raven.paths(/smuggler/)).toEqual(['/databases/shop/smuggler/export?operationId=7'])
    expect(await next()).toMatchObject({ bytes: { length: 1_400_000 }, last: false })
    expect(await check(EXPORT)).toEqual({
      state: 'running',
      text: '250 documents written. 1.34 MiB saved.',
      progress: 0.25,
    })
    expect(await next()).toMatchObject({ bytes: { length: 5 }, last: true })
    operation({ Status: 'Completed', Result: { Documents: { ReadCount: 1000 } } })
    expect(await check(EXPORT)).toMatchObject({ state: 'running' })
    await saved(null)
    expect(await check(EXPORT)).toEqual({ state: 'done', text: '1,000 documents written. The file has 1.34 MiB.' })
  })

  it('that the downloads of the browser have is not said to be saved', async () => {
    raven.on(/smuggler\/export/, () => stream([5]))
    await send(EXPORT)
    await next()
    operation({ Status: 'Completed', Result: { Documents: { ReadCount: 1 } } })
    await saved(null, true)
    expect(await check(EXPORT)).toMatchObject({
      text: '1 document written. The file has 5 B: the downloads of the browser say whether it could be saved.',
    })
  })

  it('that is cut off has failed, with the reason of the server where it has one', async () => {
    raven.on(/smuggler\/export/, () => stream([5], 'cut'))
    operation({ Status: 'InProgress' })
    await send(EXPORT)
    await expect(next()).rejects.toThrow('The connection was lost.')
    expect(await check(EXPORT)).toEqual({ state: 'failed', text: 'The connection was lost.' })
    // So the server calls it; the user did not.
    operation({ Status: 'Canceled' })
    expect(await check(EXPORT)).toEqual({ state: 'failed', text: 'The connection was lost.' })
    operation({
      Status: 'Faulted',
      Result: { Error: 'A.OuterException: x ---> A.InnerException: No space left\n  at B' },
    })
    expect(await check(EXPORT)).toEqual({ state: 'failed', text: 'No space left' })
  })

  it('that is cut off has failed, also where the server is gone', async () => {
    raven.on(/smuggler\/export/, () => stream([5], 'cut'))
    raven.on(/operations\/state/, () => new TypeError('refused'))
    await send(EXPORT)
    await expect(next()).rejects.toThrow('The connection was lost.')
    expect(await check(EXPORT)).toEqual({ state: 'failed', text: 'The connection was lost.' })
  })

  it('that the user cancels closes the connection, and is not called failed by the server', async () => {
    raven.on(/smuggler\/export/, () => stream([5]))
    operation({ Status: 'Faulted', Result: { Message: 'The request was aborted' } })
    await send(EXPORT)
    const { signal } = raven.calls.find(({ path }) => path.includes('smuggler'))!
    await saved(CANCELLED)
    expect(signal.aborted).toBe(true)
    expect(await check(EXPORT)).toEqual({ state: 'failed', text: CANCELLED })
  })

  it('of a page that was reloaded is not called whole', async () => {
    operation({ Status: 'Completed', Result: { Documents: { ReadCount: 1000 } } })
    expect(await check(EXPORT)).toMatchObject({ state: 'unknown' })
    operation({ Status: 'InProgress' })
    expect(await check(EXPORT)).toMatchObject({ state: 'failed' })
  })

  it('is not begun in view-only mode', async () => {
    governor.setViewOnly(true)
    expect(await send(EXPORT)).toMatchObject({ outcome: 'refused', error: { message: 'View only: nothing was sent.' } })
    expect(raven.paths(/smuggler/)).toEqual([])
  })

  it('loads no database that was unloaded meanwhile', async () => {
    raven.databases.set('shop', 'unloaded')
    expect(await send(EXPORT)).toMatchObject({ outcome: 'refused' })
    expect(raven.paths(/smuggler/)).toEqual([])
    expect(raven.loads).toEqual([])
  })
})

describe('an import', () => {
  const FILE = new File(['dump'], 'a.ravendbdump')

  it('is done when the server says so', async () => {
    raven.on(/smuggler\/import/, () => json({}))
    operation({ Status: 'InProgress', Progress: { Documents: { ReadCount: 3 } } })
    expect(await send(IMPORT, FILE)).toEqual({ outcome: 'accepted', response: ACCEPTED })
    expect((await check(IMPORT)).text).toContain('3 documents read.')
    operation({ Status: 'Completed', Result: { Documents: { ReadCount: 1000, ErroredCount: 2 } } })
    expect(await check(IMPORT)).toEqual({ state: 'done', text: '1,000 documents imported. 2 failed.' })
  })

  it('of something else has failed, with the innermost cause', async () => {
    raven.on(/smuggler\/import/, () =>
      json(
        { Type: 'X', Message: 'Outer', Error: 'A.OuterException: Outer ---> A.InvalidDataException: No dump\n  at B' },
        500,
      ),
    )
    raven.on(/operations\/state/, () => new Response(null, { status: 404 }))
    await send(IMPORT, FILE)
    await raven.clock.advance(10)
    expect(await check(IMPORT)).toEqual({ state: 'failed', text: 'No dump' })
  })

  it('whose connection is lost ends as the server ends it: it may have received all of the file', async () => {
    raven.on(/smuggler\/import/, () => new TypeError('reset'))
    operation({ Status: 'InProgress', Progress: { Documents: { ReadCount: 3 } } })
    await send(IMPORT, FILE)
    await raven.clock.advance(10)
    expect(await check(IMPORT)).toMatchObject({
      state: 'running',
      text: '3 documents read. The connection was lost while the file was sent.',
    })
    operation({ Status: 'Completed', Result: { Documents: { ReadCount: 1000 } } })
    expect(await check(IMPORT)).toEqual({ state: 'done', text: '1,000 documents imported.' })
    operation({ Status: 'Faulted', Result: { Error: 'A.BException: Unexpected end of stream\n  at B' } })
    expect(await check(IMPORT)).toEqual({
      state: 'failed',
      text: 'Unexpected end of stream (What it had imported until then stays.)',
    })
    raven.on(/operations\/state/, () => new Response(null, { status: 404 }))
    expect(await check(IMPORT)).toMatchObject({ state: 'unknown', isLast: true })
  })

  it.each([
    'Empty stream',
    "Cannot have a 'P' in this position at  (1,2) around: PK",
    "Invalid JSON. Expected start object, but got EndObject on  (1,2) around: }{. Last 4KB of read strem : '}{'",
  ])('of what is no dump says so, with the server’s words as a detail: %s', async (fault) => {
    raven.on(/^\/databases\?/, () => ({ Databases: [{ Name: 'shop', DocumentsCount: 7 }] }))
    operation({ Status: 'Faulted', Result: { Message: fault } })
    const before = [{ label: 'Documents', unit: 'count', value: 7 }] as const
    const requested = { call: IMPORT, accepted: { OperationId: 7 }, startedMs: 0, before }
    expect(await responses['actions.check']!(requested, governor, new AbortController().signal)).toEqual({
      state: 'failed',
      text: 'This is no RavenDB dump. It has as many documents as before.',
      detail: fault,
    })
  })

  it.each([
    ['deleted', {}, 'The database was deleted before the import had ended.'],
    [
      'disabled',
      { Databases: [{ Name: 'shop', Disabled: true }] },
      'The database was disabled before the import had ended. (What it had imported until then stays.)',
    ],
    ['there', { Databases: [{ Name: 'shop', Disabled: false }] }, null],
  ])('whose database is %s meanwhile says so, with the server’s words as a detail', async (_, listed, text) => {
    raven.on(/smuggler\/import/, () => new Promise<Response>(() => undefined))
    await send(IMPORT, FILE)
    operation({ Status: 'Faulted', Result: { Message: 'The operation was canceled.' } })
    raven.on(/^\/databases\?/, () => ('Databases' in listed ? listed : new Response(null, { status: 404 })))
    raven.on(/is-loaded/, () => ({ IsLoaded: false }))
    const words = 'The operation was canceled. (What it had imported until then stays.)'
    const expected = text === null ? { text: words } : { text, detail: words }
    expect(await check(IMPORT)).toEqual({ state: 'failed', ...expected })
    // The state of the operation goes with the database.
    raven.on(/operations\/state/, () => json({ Type: 'DatabaseDoesNotExistException', Message: 'none' }, 503))
    if (text !== null) expect(await check(IMPORT)).toMatchObject({ state: 'failed', text })
  })

  it('is not over while its database is being closed: why is read afterwards', async () => {
    operation({ Status: 'Faulted', Result: { Message: 'The operation was canceled.' } })
    const LoadError = "The database 'shop' has been unloaded and locked by DeleteDatabase"
    raven.on(/^\/databases\?/, () => ({ Databases: [{ Name: 'shop', LoadError }] }))
    expect(await check(IMPORT)).toEqual({ state: 'running', text: 'The server is closing the database.' })
  })

  it('that the user cancels is ended on the server, which goes on with what it has received', async () => {
    raven.on(/smuggler\/import/, () => new Promise<Response>(() => undefined))
    raven.on(/operations\/kill/, () => new Response(null, { status: 204 }))
    operation({ Status: 'InProgress', Progress: { Documents: { ReadCount: 3 } } })
    await send(IMPORT, FILE)
    await saved(CANCELLED)
    await raven.clock.advance(10)
    expect(raven.paths(/kill/)).toEqual(['/databases/shop/operations/kill?id=7'])
    expect(await check(IMPORT)).toEqual({
      state: 'running',
      text: 'Cancelled here; the server has not ended it yet. 3 documents read.',
    })
    operation({ Status: 'Canceled' })
    expect(await check(IMPORT)).toEqual({
      state: 'failed',
      text: 'It was cancelled. (What it had imported until then stays.)',
    })
    // The wish came too late.
    operation({ Status: 'Completed', Result: { Documents: { ReadCount: 1000 } } })
    expect(await check(IMPORT)).toEqual({ state: 'done', text: '1,000 documents imported.' })
  })

  it('without its file, as after a reload, is refused and nothing is sent', async () => {
    expect(await send(IMPORT)).toMatchObject({ outcome: 'refused', error: { hint: 'Choose it again.' } })
    expect(raven.calls.filter(({ path }) => path.includes('operation') || path.includes('smuggler'))).toEqual([])
  })

  it('is not sent in view-only mode', async () => {
    governor.setViewOnly(true)
    await send(IMPORT, FILE)
    await raven.clock.advance(10)
    expect(raven.paths(/smuggler/)).toEqual([])
  })
})

describe('a restore', () => {
  it('finds backups of a folder, newest first, and none in view-only mode', async () => {
    const point = (DateTime: string, IsIncremental: boolean) => ({
      DateTime,
      FileName: `/b/${DateTime}`,
      DatabaseName: 'shop',
      IsSnapshotRestore: false,
      IsEncrypted: false,
      IsIncremental,
    })
    raven.on(/restore\/points/, () => json({ List: [point('2026-01-01', false), point('2026-01-02', true)] }))
    const found = await responses['actions.backups']!({ folder: '/b' }, governor, never)
    expect(found.map(({ file, kind }) => [file, kind])).toEqual([
      ['/b/2026-01-02', 'incremental'],
      ['/b/2026-01-01', 'full'],
    ])
    governor.setViewOnly(true)
    await expect(responses['actions.backups']!({ folder: '/b' }, governor, never)).rejects.toThrow('View only')
  })

  it('that fails says why, however deep the cause lies', async () => {
    const outer = 'x'.repeat(500)
    raven.on(/\/operations\/state/, () =>
      json({
        Progress: null,
        Status: 'Faulted',
        Result: {
          Error: `A.OuterException: ${outer} ---> System.IO.DirectoryNotFoundException: No such folder\n  at B`,
        },
      }),
    )
    const restore: ActionCall = {
      action: 'server.restore-database',
      target: { kind: 'server', database: null, name: null },
      inputs: { file: '/b/f', name: 'new' },
      facts: {},
    }
    expect(await check(restore)).toEqual({ state: 'failed', text: 'No such folder' })
  })
})

describe('an attachment', () => {
  const ATTACH: ActionCall = {
    action: 'document.attach',
    target: { kind: 'document', database: 'shop', name: 'a/1' },
    inputs: { attachment: 'b.bin', type: 'application/octet-stream', bytes: '4' },
    facts: {},
  }
  const begin = () =>
    responses['actions.send']!({ call: ATTACH, requestId: 'id', payload: new Blob(['held']) }, governor, never)
  const sentBytes = () => responses['actions.sentBytes']!({ requestId: 'id' }, governor, never)
  const metadata = (...attachments: object[]): void => {
    raven.on(/docs\?/, () => json({ Results: [{ '@metadata': { '@attachments': attachments } }] }))
  }

  it('shows how much of it was sent, by the bytes that the browser reports', async () => {
    let finish: (response: Response) => void = () => undefined
    const upload = vi.spyOn(raven.env, 'upload').mockImplementation((_, __, { onProgress }) => {
      onProgress(3, 4)
      return new Promise((resolve) => void (finish = resolve))
    })
    const sending = begin()
    await vi.waitFor(() => expect(upload).toHaveBeenCalledOnce())
    expect(upload.mock.calls[0]![2]).toMatchObject({ method: 'PUT' })
    expect(await sentBytes()).toMatchObject({ bytes: 3, totalBytes: 4 })
    finish(new Response(null, { status: 201 }))
    expect(await sending).toMatchObject({ outcome: 'accepted' })
    expect(await sentBytes()).toBeNull()
  })

  it('claims nothing of a cancelled one, which the server may have received, and reads what became of it', async () => {
    const upload = vi
      .spyOn(raven.env, 'upload')
      .mockImplementation(
        (_, __, { signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', reject)),
      )
    const sending = begin()
    await vi.waitFor(() => expect(upload).toHaveBeenCalledOnce())
    void saved(CANCELLED)
    expect(await sending).toMatchObject({ outcome: 'unknown', error: { message: CANCELLED, hint: '' } })
    metadata({ Name: 'b.bin', Size: 9 })
    expect(await check(ATTACH)).toMatchObject({
      state: 'unchanged',
      text: expect.stringMatching(/another size/) as string,
    })
    metadata({ Name: 'b.bin', Size: 4 })
    expect(await check(ATTACH)).toMatchObject({ state: 'done' })
  })
})
