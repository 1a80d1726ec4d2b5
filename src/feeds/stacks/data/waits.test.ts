import { describe, expect, it, test } from 'vitest'
import { recordedJson } from '../../../testing/recorded.ts'
import { FrameTable } from './frames.ts'
import type { WaitKind } from '../contract/jobs.ts'
import { PRIMITIVES } from './rules/primitives.ts'
import { RUN_RULES } from './rules/run-rules.ts'
import { WAIT_RULES } from './rules/wait-rules.ts'
import type { Evidence } from './waits.ts'
import { judge, lineOf } from './waits.ts'
import { readStackDocuments } from './live/wire.ts'

const NOTHING: Evidence = { pseudo: 'native', isRunning: false }

/** `keys`: innermost first, as rules have them. */
function line(keys: readonly string[], evidence: Evidence = NOTHING) {
  const frames = new FrameTable()
  const path = keys.map((key) => frames.intern(`Raven.Server!Some.Space.${key.replace('*', 'Anything')}()`))
  return lineOf(judge(frames, path, evidence))
}

describe('rules', () => {
  test.each(WAIT_RULES.map((rule) => [rule.id, rule] as const))('%s', (_, { frames, wait, waitsFor, waiting }) => {
    expect(frames.length).toBeGreaterThan(0)
    const shadowed = new Set(WAIT_RULES.flatMap((rule) => (rule.frames === frames ? [] : rule.frames)))
    for (const frame of frames.filter((key) => !shadowed.has(key))) {
      const reported = { frame, ...line(waiting ? ['Monitor.Wait', frame] : [frame]) }
      expect(reported).toMatchObject({ frame, wait, waitsFor })
      // A method that now and then waits says nothing while it does not wait.
      if (waiting) expect(line([frame], { pseudo: 'cpu', isRunning: true }).wait).toBe('running')
    }
  })

  test.each(PRIMITIVES.flatMap(({ frames, ...rule }) => frames.map((frame) => [frame, rule] as const)))(
    '%s, with an unknown caller',
    (frame, { wait, waitsFor }) => {
      expect(line([frame, 'Mine.Run'])).toMatchObject({ wait: wait ?? 'unknown', waitsFor })
    },
  )

  test.each(RUN_RULES.map((rule) => [rule.runs, rule] as const))('%s', (runs, { frames }) => {
    const others = new Set(RUN_RULES.flatMap((rule) => (rule.frames === frames ? [] : rule.frames)))
    const own = frames.filter((frame) => !others.has(frame))
    expect(own.length).toBeGreaterThan(0)
    for (const frame of own) expect([frame, line(['Mine.Leaf', frame, 'Mine.Root']).runs]).toEqual([frame, runs])
  })

  it('says unknown where none fits, and running only with evidence', () => {
    expect(line(['Mine.Run'])).toEqual({ runs: '', wait: 'unknown', waitsFor: '' })
    expect(line([])).toEqual({ runs: '', wait: 'unknown', waitsFor: '' })
    expect(line(['Mine.Run'], { pseudo: 'cpu', isRunning: false }).wait).toBe('running')
    expect(line(['Mine.Run'], { pseudo: null, isRunning: true }).wait).toBe('running')
    expect(line(['Monitor.Wait', 'Mine.Run']).wait).toBe('unknown')
  })

  it('a lock deep in an index is a lock, and not waiting for documents', () => {
    expect(line(['Monitor.Enter', 'Mine.Cache', 'Index.ExecuteIndexing'])).toEqual({
      runs: 'Indexes',
      wait: 'lock',
      waitsFor: 'a lock',
    })
  })
})

/** Reading of the recorded stacks by an expert. */
const READ: Readonly<Record<string, Readonly<Record<string, readonly [WaitKind, string]>>>> = {
  idle: {
    "'bench' TxMT": ['work', 'Merges write transactions'],
    'Indexing of Orders/Js of bench': ['work', 'Indexes'],
    '.NET Timer': ['timer', 'Fires timers'],
    '.NET Sockets': ['work', 'Watches sockets'],
    'Low memory notification thread': ['timer', 'Watches memory'],
    'Voron Prefetching Thread': ['work', 'Reads data files ahead'],
    'Cluster observer for term 1': ['timer', 'Observes the cluster'],
    'ClstrTx bench': ['work', 'Executes cluster transactions'],
    Unknown: ['work', 'Keeps the server up'],
  },
  indexing: {
    'Indexing of Orders/Lucene of bench': ['running', 'Writes the index (Lucene)'],
    'Indexing of Orders/Corax of bench': ['running', 'Writes the index (Corax)'],
    'Indexing of Orders/ByCompany of bench': ['running', 'Maps documents'],
    'Indexing of Orders/Js of bench': ['running', 'Runs JavaScript'],
  },
  writing: {
    "'bench' TxMT": ['disk', 'Writes the journal'],
    "'Cluster' TxMT": ['work', 'Merges write transactions'],
    'Indexing of Orders/ByCompany of bench': ['running', 'Stores map results'],
  },
}

describe.each(Object.entries(READ))('recorded while %s', (name, read) => {
  const frames = new FrameTable()
  const [document] = readStackDocuments(recordedJson('7.1', `stack-trace-${name}.json`), frames)
  const threads = new Map(document!.threads.map((thread) => [thread.id, thread]))
  const lines = document!.entries.flatMap(({ threadIds, frames: path, pseudo }) =>
    threadIds.map((id) => {
      const thread = threads.get(id)
      const evidence = { pseudo, isRunning: thread?.state === 'Running' }
      return { name: thread?.name ?? '', ...lineOf(judge(frames, path, evidence)) }
    }),
  )

  test.each(Object.entries(read))('%s', (thread, [wait, runs]) => {
    const found = lines.filter((each) => each.name === thread)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ wait, runs })
  })

  it('leaves no thread unknown', () => {
    expect(lines.filter(({ wait, runs }) => wait === 'unknown' || runs === '')).toEqual([])
  })
})
