import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Ticks } from '../../base/ticks.ts'
import { CaptureError, type CaptureClient } from '../../capture/client/client.ts'
import type { SaveTarget } from '../../ui/save.ts'
import { FakeStorage } from '../../testing/fake-storage.ts'
import type { SendOutcome } from '../contract.ts'
import type { Figure } from '../figures.ts'
import type { ActionCall, CheckResult } from '../model.ts'
import { ActivityLog } from './activity-log.ts'
import { ActionRunner } from './action-runner.ts'
import type { ActionSession } from './session.ts'
import { cancelOf } from './undo.ts'

const CALL: ActionCall = {
  action: 'index.pause',
  target: { kind: 'index', database: 'shop', name: 'x' },
  inputs: {},
  facts: {},
}
const MARK = { newestTicks: 7, ofServer: null }
const LOST = { endpoint: '/x', status: null, message: 'The connection was lost.', serverMessage: null, hint: '' }

beforeEach(() => {
  vi.stubGlobal('localStorage', new FakeStorage())
  vi.stubGlobal('addEventListener', () => undefined)
})
afterEach(() => void vi.unstubAllGlobals())

function setup(
  outcomes: (SendOutcome | Promise<SendOutcome>)[],
  results: CheckResult[],
  measured: (readonly Figure[] | null)[] = [],
) {
  let nowMs = 1_800_000_000_000
  let ids = 0
  const sent: string[] = []
  const requested: { accepted: unknown; startedMs: number; mark?: unknown }[] = []
  let checkMs = 0
  let forbidden = 0
  const request = async (name: string, params: { requestId: string }): Promise<unknown> => {
    if (name === 'actions.send') {
      sent.push(params.requestId)
      const outcome = outcomes.shift()
      if (outcome === undefined) throw new CaptureError(LOST)
      return Promise.resolve(outcome)
    }
    if (name === 'actions.measure') {
      sent.push(`measure ${String((params as unknown as { tookMs: number | null }).tookMs === null)}`)
      return measured.length === 0 ? new Promise(() => undefined) : Promise.resolve(measured.shift())
    }
    if (name === 'actions.sentBytes') return { bytes: 1024 ** 2, totalBytes: 4 * 1024 ** 2 }
    if (name === 'actions.markOperations') return Promise.resolve(MARK)
    requested.push(params as unknown as (typeof requested)[number])
    nowMs += checkMs
    if (results.length === 0) return new Promise(() => undefined)
    return Promise.resolve(results.length > 1 ? results.shift() : results[0])
  }
  const client = { request, getState: () => ({ clockAheadMs: 0 }) } as unknown as CaptureClient
  const log = new ActivityLog()
  const held: Promise<void>[] = []
  const runner = new ActionRunner(
    client,
    log,
    {
      nowMs: () => nowMs,
      wait: (ms) => {
        nowMs += ms
        // Later than whatever responds at once.
        return new Promise((resolve) => setImmediate(resolve))
      },
      alone: (_, run) => {
        const done = run()
        held.push(done)
        return done
      },
      newId: () => `id-${++ids}`,
      forbidden: () => void forbidden++,
    },
    () => Promise.resolve(),
  )
  const ended = async (): Promise<void> => void (await Promise.all(held))
  /** How long the server takes to say in which state it is. */
  const slowDown = (ms: number): void => void (checkMs = ms)
  return { runner, log, sent, ended, slowDown, requested, checks: () => requested.length, forbidden: () => forbidden }
}

const accepted = (response: unknown = null): SendOutcome => ({ outcome: 'accepted', response })
const unchanged: CheckResult = { state: 'unchanged', text: 'It still runs.' }
const done: CheckResult = { state: 'done', text: 'It is paused.' }

describe('running an action', () => {
  const restart: ActionCall = {
    ...CALL,
    action: 'database.restart',
    target: { ...CALL.target, kind: 'database', name: null },
  }
  const figure = (value: string): readonly Figure[] => [{ label: 'State', unit: 'text', value }]

  it('is sent once for two clicks while the first has no answer, and again for a third one later', async () => {
    const { runner, sent, ended, log } = setup([accepted(), accepted(), accepted()], [done])
    const other = { ...CALL, target: { ...CALL.target, name: 'y' } }
    const [first, second] = await Promise.all(['Pause', 'Pause'].map((title) => runner.start('s', CALL, title)))
    expect(second).toBe(first)
    await runner.start('s', other, 'Pause')
    expect(sent).toHaveLength(2)
    await ended()
    await runner.start('s', CALL, 'Pause')
    expect(sent).toHaveLength(3)
    expect(log.getSnapshot()).toHaveLength(3)
    await ended()
  })

  it('is sent for each file, also while the one before has no answer, and for the same one once', async () => {
    const { runner, sent, ended } = setup([accepted(), accepted()], [done])
    const file = new File(['{}'], 'dump')
    const other = new File(['{}'], 'dump')
    const [first, second, third] = await Promise.all(
      [file, file, other].map((each) => runner.start('s', CALL, 'Import', { file: each })),
    )
    expect(second).toBe(first)
    expect(third).not.toBe(first)
    expect(sent).toHaveLength(2)
    await ended()
  })

  it('that brings a file is sent once for two clicks, and keeps no empty file of the second', async () => {
    const { runner, sent, ended } = setup([accepted(), accepted()], [done])
    const discarded: string[] = []
    const [first, second] = await Promise.all(
      ['a', 'b'].map((name) => {
        const discard = (): Promise<void> => Promise.resolve(void discarded.push(name))
        return runner.start('s', CALL, 'Export', { target: { discard } as unknown as SaveTarget })
      }),
    )
    expect([second, discarded[0]]).toEqual([first, 'b'])
    expect(sent).toHaveLength(1)
    await ended()
  })

  it('shows how much of its file was sent until the response, and offers to cancel it', async () => {
    let answer: (outcome: SendOutcome) => void = () => undefined
    const sending = new Promise<SendOutcome>((resolve) => void (answer = resolve))
    const { runner, log, ended } = setup([sending], [done])
    const attach: ActionCall = {
      ...CALL,
      action: 'document.attach',
      target: { kind: 'document', database: 'shop', name: 'a/1' },
    }
    const started = runner.start('s', attach, 'Upload', { payload: new Blob([new Uint8Array(4 * 1024 ** 2)]) })
    const entry = () => log.getSnapshot()[0]!
    await vi.waitFor(() => expect(entry()).toMatchObject({ text: '1.00 MiB of 4.00 MiB sent.', progress: 0.25 }))
    const cancel = vi.spyOn(runner, 'cancelTransfer').mockReturnValue()
    cancelOf({ runner } as ActionSession, entry(), null)!.run()
    expect(cancel).toHaveBeenCalledWith(entry().id)
    answer(accepted())
    await started
    expect(cancelOf({ runner } as ActionSession, entry(), null)).toBeNull()
    await ended()
    expect(entry()).toMatchObject({ state: 'done', text: done.text, progress: null })
  })

  it('of which a file is on its way is bound to the page to its end, any other is not', async () => {
    const { runner, ended } = setup([accepted(), accepted()], [{ state: 'running', text: 'Half.' }, done])
    const bound: number[] = []
    runner.bound.subscribe(() => bound.push(runner.bound.get()))
    await runner.start('s', CALL, 'Import', { file: new File(['{}'], 'dump') })
    expect(bound).toEqual([1])
    await ended()
    await expect.poll(() => bound).toEqual([1, 0])
    await runner.start('s', CALL, 'Pause')
    await ended()
    expect(bound).toEqual([1, 0])
  })

  it('is checked for what happened since its start, and a retry since its own', async () => {
    const { runner, log, ended, requested } = setup([accepted(), accepted()], [unchanged])
    const id = await runner.start('s', CALL, 'Pause')
    await ended()
    const firstMs = log.get(id)?.startedMs ?? Infinity
    await runner.retry(id)
    await ended()
    const secondMs = log.get(id)?.startedMs
    expect(secondMs).toBeGreaterThan(firstMs)
    expect([...new Set(requested.map(({ startedMs }) => startedMs))]).toEqual([firstMs, secondMs])
  })

  it('reads what it is to change before it is sent, and again when it is done', async () => {
    const { runner, log, sent, ended } = setup([accepted()], [done], [figure('a'), figure('b')])
    const id = await runner.start('s', restart, 'Restart')
    await ended()
    expect(sent).toEqual(['measure true', id, 'measure false'])
    expect(log.get(id)?.figures).toEqual({ before: figure('a'), after: figure('b') })
  })

  it('does not wait for a server that is too slow to say what it is to change, and does not claim to know it', async () => {
    const { runner, log } = setup([accepted()], [done])
    const id = await runner.start('s', restart, 'Restart')
    await Promise.resolve()
    expect(log.get(id)).toMatchObject({ figures: { before: null, after: null } })
  })

  it('that begins an operation whose number was lost keeps the one that was found since', async () => {
    const compact: ActionCall = { ...restart, action: 'database.compact' }
    const found = { OperationId: 4 }
    const { runner, log, ended, requested } = setup(
      [{ outcome: 'unknown', error: LOST }],
      [{ state: 'running', text: 'Half.', accepted: found }, done],
      [figure('a'), figure('b')],
    )
    const id = await runner.start('s', compact, 'Compact')
    await ended()
    expect(log.get(id)).toMatchObject({ state: 'done', accepted: found, mark: MARK })
    expect(requested.map(({ accepted: of, mark }) => [of, mark])).toEqual([
      [null, MARK],
      [found, MARK],
    ])
  })

  it('reads the final state before it is called done', async () => {
    const { runner, log, ended, checks } = setup([accepted()], [unchanged, unchanged, done])
    const id = await runner.start('s', CALL, 'Pause indexing')
    expect(log.get(id)?.state).not.toBe('done')
    await ended()
    expect(log.get(id)).toMatchObject({ state: 'done', text: 'It is paused.' })
    expect(checks()).toBe(3)
  })

  it('that was accepted and changed nothing has done nothing', async () => {
    const { runner, log, ended } = setup([accepted()], [unchanged])
    const id = await runner.start('s', CALL, 'Pause indexing')
    await ended()
    expect(log.get(id)).toMatchObject({ state: 'nothing', text: 'Nothing has changed. It still runs.' })
  })

  it('for which the cluster issued no command is over at once', async () => {
    const { runner, log, ended, checks } = setup([accepted({ RaftCommandIndex: -1 })], [unchanged])
    const id = await runner.start('s', CALL, 'Pause indexing')
    await ended()
    expect([log.get(id)?.state, checks()]).toEqual(['nothing', 1])
  })

  it('whose connection was lost is unknown until it is read, and is not sent again', async () => {
    const { runner, log, sent, ended } = setup([{ outcome: 'unknown', error: LOST }], [unchanged, done])
    const id = await runner.start('s', CALL, 'Pause indexing')
    await ended()
    expect(log.get(id)).toMatchObject({ state: 'done', error: LOST })
    expect(sent).toHaveLength(1)
  })

  it('that something on the way refused is nothing soon, with the cause in its text', async () => {
    const login = { ...LOST, status: 401, message: 'A proxy wants a login (status 401).' }
    const stage = setup([{ outcome: 'unknown', error: login }], [unchanged])
    const entry = await entryOf(stage)
    expect(entry).toMatchObject({ state: 'nothing', text: `Nothing has changed. It still runs. ${login.message}` })
    expect((entry.endedMs ?? 0) - entry.startedMs).toBeLessThan(10_000)
  })

  it.each([
    ['accepted', accepted()],
    ['unknown', { outcome: 'unknown', error: LOST } satisfies SendOutcome],
  ])('that a stopped server has received is not called nothing as soon as it goes on: %s', async (_, outcome) => {
    const stage = setup([outcome], [unchanged, unchanged, unchanged, done])
    stage.slowDown(30_000)
    expect(await entryOf(stage)).toMatchObject({ state: 'done' })
    const lost = { state: 'unknown', text: 'No answer.' } as const
    const restarted = setup(
      [outcome],
      [...Array.from({ length: 30 }, (): CheckResult => lost), unchanged, unchanged, done],
    )
    expect(await entryOf(restarted)).toMatchObject({ state: 'done' })
  })

  it('of a worker that is gone stays unknown where the state cannot be read', async () => {
    const { runner, log, ended } = setup([], [{ state: 'unknown', text: 'The server does not answer.' }])
    const id = await runner.start('s', CALL, 'Pause indexing')
    await ended()
    expect(log.get(id)).toMatchObject({ state: 'unknown', text: 'The server does not answer.' })
  })

  it('whose state cannot be read is not called running meanwhile', async () => {
    const states: string[] = []
    const { runner, log, ended } = setup(
      [accepted({ OperationId: 1 })],
      [
        { state: 'running', text: 'Half.' },
        { state: 'unknown', text: 'No response.' },
        { state: 'running', text: 'More.' },
        done,
      ],
    )
    log.subscribe(() => states.push(`${log.getSnapshot()[0]?.state} ${log.getSnapshot()[0]?.text}`))
    await runner.start('s', CALL, 'Pause indexing')
    await ended()
    expect(states.slice(1)).toEqual([
      'running ',
      'running Half.',
      'checking No response.',
      'running More.',
      'done It is paused.',
    ])
  })

  it('that is stopped says how far it was when it was read last', async () => {
    const { runner, log, ended } = setup(
      [accepted({ OperationId: 1 })],
      [
        { state: 'running', text: '4,096 of 100,000 processed.', progress: 0.04 },
        { state: 'unknown', text: 'No response.' },
        { state: 'failed', text: 'It was cancelled.' },
      ],
    )
    const id = await runner.start('s', CALL, 'Pause indexing')
    await ended()
    const text = 'It was cancelled. Last reading: 4,096 of 100,000 processed.'
    expect(log.get(id)).toMatchObject({ state: 'failed', text })
  })

  it('of which nothing more can be known is over soon', async () => {
    const { runner, log, ended, checks } = setup([accepted(true)], [{ state: 'unknown', text: 'Lost.', isLast: true }])
    const id = await runner.start('s', CALL, 'Pause indexing')
    await ended()
    expect(log.get(id)).toMatchObject({ state: 'unknown', text: 'Lost.' })
    const { startedMs, endedMs } = log.get(id)!
    expect([checks() > 3, (endedMs ?? 0) - startedMs < 10_000]).toEqual([true, true])
  })

  it('that was refused says the cause, and is sent again with the same id when the user retries', async () => {
    const refused = { ...LOST, status: 500, serverMessage: 'Locked.' }
    const { runner, log, sent, ended } = setup([{ outcome: 'refused', error: refused }, accepted()], [done])
    const id = await runner.start('s', CALL, 'Pause indexing')
    await ended()
    expect(log.get(id)).toMatchObject({ state: 'failed', text: 'Locked.' })
    await runner.retry(id)
    await ended()
    expect(log.get(id)).toMatchObject({ state: 'done', attempts: 2, error: null })
    expect(sent).toEqual([id, id])
  })

  it('that is sent again starts with that click, and keeps nothing that was measured around the first', async () => {
    const stage = setup([{ outcome: 'refused', error: LOST }, accepted()], [done])
    const first = await entryOf(stage)
    const figures = { before: figure('a'), after: null }
    const early = { startedMs: first.startedMs - 2_400_000, startedTicks: (first.startedTicks - 1e10) as Ticks }
    stage.log.put({ ...first, ...early, figures, beside: figures, before: null, after: null })
    await stage.runner.retry(first.id)
    await stage.ended()
    const again = stage.log.get(first.id)!
    expect(again).toMatchObject({ state: 'done', startedMs: first.endedMs, startedTicks: first.endedTicks })
    expect([again.figures, again.beside, again.before, again.after].every((part) => part === undefined)).toBe(true)
  })

  describe('of which another client has removed the target', () => {
    const gone: CheckResult = { state: 'gone', text: 'The index does not exist any more.' }
    const removed: CheckResult = { state: 'done', text: 'It is not listed.' }
    const DISMISS: ActionCall = { ...CALL, action: 'notification.dismiss' }
    const refused: SendOutcome = {
      outcome: 'refused',
      error: { ...LOST, status: 404, serverMessage: 'No such index.' },
    }

    it('is gone and not failed where the server refuses it', async () => {
      const stage = setup([refused], [gone])
      expect(await entryOf(stage)).toMatchObject({ state: 'gone', text: gone.text, error: { status: 404 } })
    })

    it('has failed where the server refuses it for another reason', async () => {
      expect(await entryOf(setup([refused], [unchanged]))).toMatchObject({ state: 'failed', text: 'No such index.' })
      // In that state by itself, as an index that another client paused: that is no reason.
      expect(await entryOf(setup([refused], [done]))).toMatchObject({ state: 'failed' })
    })

    it('has failed where the right is missing: what is hidden from a certificate looks the same', async () => {
      const noRight: SendOutcome = { outcome: 'refused', error: { ...LOST, status: 403, serverMessage: 'No access.' } }
      const stage = setup([noRight], [gone])
      expect(await entryOf(stage)).toMatchObject({ state: 'failed', text: 'No access.' })
      expect([stage.checks(), stage.forbidden()]).toEqual([0, 1])
    })

    it('does not wait for a server that is too slow to say it', async () => {
      const { runner, log } = setup([refused], [])
      const id = await runner.start('s', CALL, 'Pause indexing')
      expect(log.get(id)).toMatchObject({ state: 'failed', text: 'No such index.' })
    })

    it('and that was to remove it is not sent, and nothing is measured or claimed of it', async () => {
      const stage = setup([], [removed])
      const id = await stage.runner.start('s', DISMISS, 'Dismiss')
      await stage.ended()
      expect(stage.log.get(id)).toMatchObject({ state: 'gone', text: 'It is not listed. Nothing was sent.' })
      expect([stage.sent, stage.checks()]).toEqual([[], 1])
      await stage.runner.retry(id)
      expect(stage.log.get(id)).toMatchObject({ state: 'gone', attempts: 1 })
    })

    it('between the look and the request is gone, too; removed by this it is done', async () => {
      const stage = setup(
        [refused, accepted(), accepted({ RaftCommandIndex: -1 })],
        [unchanged, removed, unchanged, removed, unchanged, removed],
      )
      const states: unknown[] = []
      for (const title of ['a', 'b', 'c']) {
        const id = await stage.runner.start('s', DISMISS, title)
        await stage.ended()
        states.push(stage.log.get(id)?.state)
      }
      expect(states).toEqual(['gone', 'done', 'gone'])
    })

    it('after it was accepted is over at once', async () => {
      const stage = setup([accepted()], [unchanged, gone])
      expect(await entryOf(stage)).toMatchObject({ state: 'gone', accepted: null })
    })
  })

  it('goes on after a reload of the page, without being sent again', async () => {
    const first = setup([accepted()], [{ state: 'running', text: 'Half.', progress: 0.5 }, done])
    first.log.put({ ...(await entryOf(first)), state: 'sending', endedMs: null })
    const second = setup([], [done])
    second.runner.adopt('s')
    await second.ended()
    expect(second.log.getSnapshot()[0]).toMatchObject({ state: 'done' })
    expect(second.sent).toEqual([])
  })
})

const entryOf = async ({ runner, log, ended }: ReturnType<typeof setup>) => {
  const id = await runner.start('s', CALL, 'Pause indexing')
  await ended()
  const entry = log.get(id)
  if (entry === null) throw new Error('there is none')
  return entry
}
