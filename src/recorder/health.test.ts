import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { openMetrics, type RecorderFigures, serveHealth } from './health.ts'

const server = (parts: Partial<RecorderFigures> = {}): RecorderFigures => ({
  node: 'a_8080',
  url: 'http://a:8080',
  isConnected: true,
  version: '7.1.5',
  lagMs: 1500,
  recordedUntilMs: 0,
  sources: 3,
  liveSources: 2,
  records: { io: 12, batch: 3 },
  openGaps: 0,
  journalBytes: 100,
  serverShareOfCore: 0.004,
  error: '',
  observe: () =>
    Promise.resolve({
      figures: [{ key: 'volume.free|/data', unit: 'bytes', value: 5e9 }],
      findings: { critical: 0, warning: 2 },
      stalls: { bytes: 0, sync: 7, flush: 0, neighbour: 0, standstill: 0, unexplained: 1 },
    }),
  ...parts,
})
const archive = { bytes: 1000, files: 2, cpuSeconds: 1.5, memoryBytes: 1e8 }
const sender = {
  lagMs: 2500,
  spoolBytes: 700,
  sentRows: 90,
  sentBytes: 600,
  failures: 3,
  droppedRows: 0,
  error: '',
}

let close = (): void => undefined
afterEach(() => close())

describe('health of a recorder', () => {
  test('has each figure that the rules for Prometheus name', async () => {
    const rules = readFileSync(resolve(import.meta.dirname, '../../tools/record/rookery-alerts.yml'), 'utf8')
    const named = rules
      .split('\n')
      .flatMap((line) => (line.includes('expr:') ? (line.match(/rookery_\w+/g) ?? []) : []))
    expect(named.length).toBeGreaterThan(4)
    const samples = (await openMetrics([server()], archive, sender)).split('\n')
    for (const name of named) expect(samples.some((line) => line.split(/[ {]/)[0] === name)).toBe(true)
  })

  test('is OpenMetrics: a type for each metric, counters end in _total, labels are escaped, and # EOF ends it', async () => {
    const text = await openMetrics([server({ node: 'a"b\\c\nd', lagMs: null })], archive, sender)
    const lines = text.split('\n')
    expect(lines.at(-2)).toBe('# EOF')
    expect(lines).toContain('rookery_records_total{node="a\\"b\\\\c\\nd",kind="io"} 12')
    const node = 'node="a\\"b\\\\c\\nd"'
    expect(lines).toContain(`rookery_figure{${node},key="volume.free|/data",unit="bytes"} 5000000000`)
    expect(lines).toContain(`rookery_findings{${node},level="warning"} 2`)
    expect(lines).toContain(`rookery_stalls{${node},cause="sync"} 7`)
    expect(lines).toContain('rookery_cpu_seconds_total 1.5')
    expect(lines).toContain('rookery_sender_lag_seconds 2.5')
    expect(lines).toContain('rookery_sender_failures_total 3')
    expect(await openMetrics([server()], archive, null)).not.toContain('rookery_sender')
    expect(text).not.toContain('rookery_lag_seconds{')
    const types = new Map(Array.from(text.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name, type]) => [name, type]))
    for (const line of lines.filter((each) => each !== '' && !each.startsWith('#'))) {
      expect(line).toMatch(/^[a-z_]+(?:\{[a-z]+="(?:[^"\\\n]|\\.)*"(?:,[a-z]+="(?:[^"\\\n]|\\.)*")*\})? -?[\d.e+-]+$/)
      const name = /^[a-z_]+/.exec(line)?.[0] ?? ''
      expect(types.get(name.replace(/_total$/, ''))).toBe(name.endsWith('_total') ? 'counter' : 'gauge')
    }
  })

  test('reads nothing of the server for a check of its health', async () => {
    let judged = 0
    const own = server()
    const observe = () => {
      judged++
      return own.observe()
    }
    const served = await serveHealth({
      host: '127.0.0.1',
      port: 0,
      servers: () => [{ ...own, observe }],
      archive: () => archive,
      sender: () => null,
    })
    ;({ close } = served)
    await fetch(`${served.url}/healthz`)
    expect(judged).toBe(0)
    await fetch(`${served.url}/metrics`)
    expect(judged).toBe(1)
  })

  test.each([
    ['of servers whose data arrives', [server()], 200],
    ['with one that is silent', [server(), server({ lagMs: 61_000 })], 503],
    ['with one that is not connected', [server({ isConnected: false })], 503],
  ])('%s', async (_, servers, status) => {
    const served = await serveHealth({
      host: '127.0.0.1',
      port: 0,
      servers: () => servers,
      archive: () => archive,
      sender: () => sender,
    })
    ;({ close } = served)
    const response = await fetch(`${served.url}/healthz`)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ healthy: status === 200, archive, sender })
    expect((await fetch(`${served.url}/manifest.json`)).status).toBe(404)
    expect((await fetch(`${served.url}/healthz`, { method: 'POST' })).status).toBe(404)
  })
})
