import { describe, expect, test } from 'vitest'
import type { SaveTarget } from '../../ui/save.ts'
import { CaptureError, type CaptureClient } from '../client/client.ts'
import type { Handlers } from '../worker/handlers.ts'
import type { ExportJob } from './export-jobs.ts'
import { exportJobs, ExportJobs } from './export-jobs.ts'
import type { Exporter } from './exporter.ts'
import { Exports } from './exports.ts'

declare module './exporter.ts' {
  interface WorkerExports {
    'test.text': null
  }
}

type TextExporter = Exporter<'test.text'>

const lines =
  (count: number): TextExporter =>
  () => ({
    rows: count,
    steps: function* (out) {
      for (let row = 0; row < count; row++) {
        out.text(`${'x'.repeat(999)}\n`)
        yield row + 1
      }
    },
  })

const changing: TextExporter = () => ({
  rows: 1,
  steps: async function* (out) {
    out.text('x\n')
    yield await Promise.resolve(1)
    return 'A row may be missing.'
  },
})

const broken: TextExporter = () => ({
  rows: 1,
  // eslint-disable-next-line require-yield
  steps: function* () {
    throw new Error('row 1 makes no sense')
  },
})

function setting(exporter: TextExporter) {
  const exports = new Exports(() => ({ 'test.text': exporter }))
  const requested: string[] = []
  const handlers: Partial<Handlers> = exports.responses
  const request: CaptureClient['request'] = async (name, params, signal) => {
    requested.push(name)
    const response = await handlers[name]!(params, undefined as never, undefined as never)
    signal?.throwIfAborted()
    return response
  }
  const written = { bytes: 0, finished: false, discarded: false }
  const target: SaveTarget = {
    isDownload: false,
    write: (piece) => {
      written.bytes += piece.length
      return Promise.resolve()
    },
    finish: () => {
      written.finished = true
      return Promise.resolve()
    },
    discard: () => {
      written.discarded = true
      return Promise.resolve()
    },
  }
  const jobs = new ExportJobs({ request })
  const seen: ExportJob[] = []
  jobs.subscribe(() => {
    const job = jobs.getSnapshot()
    if (job !== null) seen.push(job)
  })
  return {
    jobs,
    requested,
    target,
    written,
    seen,
    order: { exporter: 'test.text', params: null, fileName: 'a.txt' } as const,
  }
}

describe('an export job', () => {
  test('ends with the note on its rows', async () => {
    const { jobs, target, order } = setting(changing)
    await jobs.start({ ...order, target })
    expect(jobs.getSnapshot()).toMatchObject({ phase: 'done', rows: 1, message: 'A row may be missing.' })
  })

  test('writes all, shows how far it is, and is over', async () => {
    const { jobs, target, written, order } = setting(lines(2000))
    await jobs.start({ ...order, target })
    expect(jobs.getSnapshot()).toMatchObject({ phase: 'done', rows: 2000, totalRows: 2000, bytes: 2_000_000 })
    expect(written).toEqual({ bytes: 2_000_000, finished: true, discarded: false })
    jobs.dismiss()
    expect(jobs.getSnapshot()).toBeNull()
  })

  test('stopped, it leaves no file, and the worker forgets it', async () => {
    const { jobs, target, written, requested, seen, order } = setting(lines(100_000))
    const write = async (piece: Uint8Array<ArrayBuffer>): Promise<void> => {
      await target.write(piece)
      if (written.bytes > 1_000_000) jobs.stop()
    }
    await jobs.start({ ...order, target: { ...target, write } })
    expect(jobs.getSnapshot()).toMatchObject({ phase: 'stopped', message: '' })
    expect(written).toMatchObject({ finished: false, discarded: true })
    expect(written.bytes).toBeLessThan(2_000_000)
    expect(requested.at(-1)).toBe('host.export.cancel')
    expect(seen.some(({ phase }) => phase === 'running')).toBe(true)
  })

  test('a write that fails is reported in words, and nothing is kept', async () => {
    const { jobs, target, written, order } = setting(lines(2000))
    const write = () => Promise.reject(new DOMException('disk', 'QuotaExceededError'))
    await jobs.start({ ...order, target: { ...target, write } })
    expect(jobs.getSnapshot()).toMatchObject({
      phase: 'failed',
      message: 'There is no space left where it was to be written. (disk)',
    })
    expect(written).toMatchObject({ finished: false, discarded: true })
    const closing = setting(lines(1))
    await closing.jobs.start({
      ...closing.order,
      target: { ...target, finish: () => Promise.reject(new Error('gone')) },
    })
    expect(closing.jobs.getSnapshot()).toMatchObject({ phase: 'failed', message: 'It could not be written: gone' })
  })

  test('what the worker cannot make is reported as well', async () => {
    const { jobs, target, order } = setting(broken)
    await jobs.start({ ...order, target })
    expect(jobs.getSnapshot()?.message).toContain('row 1 makes no sense')
    const info = { endpoint: 'host.export.begin', status: null, message: 'no such', serverMessage: null, hint: '' }
    const refusing = new ExportJobs({ request: () => Promise.reject(new CaptureError(info)) })
    await refusing.start({ ...order, target })
    expect(refusing.getSnapshot()).toMatchObject({ phase: 'failed', message: 'It could not be made: no such' })
  })

  test('there is one of a capture, and one runs at a time', async () => {
    const { jobs, target, order, requested } = setting(lines(500))
    const capture = { request: () => Promise.reject(new Error('unused')) }
    expect(exportJobs(capture)).toBe(exportJobs(capture))
    const first = jobs.start({ ...order, target })
    await jobs.start({ ...order, target })
    await first
    expect(requested.filter((name) => name === 'host.export.begin').length).toBe(1)
  })
})
