import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { parseTicks, TICKS_PER_SECOND } from '../../base/ticks.ts'
import type { ArchiveRecord, LogMarkRecord } from '../../capture/archive/records.ts'
import { isGate } from '../../testing/gate.ts'
import { StoredLogTap } from './stored-logs.ts'

const TWO = parseTicks('2026-11-27T02:00:00.0000000Z')
const NOW = TWO + 3600 * TICKS_PER_SECOND
const HEAD = 'Date|Level|ThreadID|Resource|Component|Logger|Message|Data\n'
const line = (second: number, level: string, message: string): string =>
  `2026-11-27 02:00:${String(second).padStart(2, '0')}.0000|${level}|12|shop|Orders|Raven.Server.Documents|${message}|\n`
const FIRST = line(0, 'INFO', 'begins')

/** Zip as the server sends it. */
const zip = (files: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])))

function tapped(tap = new StoredLogTap('warn', TWO)) {
  const records: ArchiveRecord[] = []
  return {
    tap,
    records,
    /** Messages with their level, and gaps, of one reading. */
    read: async (files: Readonly<Record<string, string>>, nowTicks: number = NOW) => {
      const before = records.length
      const figures = tap.take(await tap.read(zip(files)), nowTicks, (record) => records.push(record))
      const lines = records.slice(before).flatMap((record) => {
        if (record.t === 'gap') return `gap ${record.gap.reason} ${String(record.gap.missingCount)}`
        return record.t === 'log' ? `${record.level} ${record.message}` : []
      })
      return { ...figures, lines }
    },
  }
}

describe('lines of the log', () => {
  test('are taken once from their level on, with the parts of each, further lines, and without secrets', async () => {
    const { read, records } = tapped()
    const broken = line(2, 'ERROR', 'broke: Password=abc x\n   at Raven.Server.Main()\n   at the end')
    const files = { 'server.log': HEAD + FIRST + line(1, 'WARN', 'low') + broken }
    const { lines, bytes, hasLevels } = await read(files)
    expect(lines).toEqual(['warn low', 'error broke: Password=[removed] x\n   at Raven.Server.Main()\n   at the end'])
    expect({ bytes, hasLevels }).toEqual({ bytes: files['server.log'].length, hasLevels: true })
    expect(records[0]).toEqual({
      t: 'log',
      atTicks: TWO + TICKS_PER_SECOND,
      level: 'warn',
      resource: 'shop',
      component: 'Orders',
      logger: 'Raven.Server.Documents',
      message: 'low',
    })
    expect((await read(files)).lines).toEqual([])
    expect((await read({ 'server.log': files['server.log'] + line(9, 'FATAL', 'ends') })).lines).toEqual(['fatal ends'])
  })

  test('that are long end without a part of a secret, and say that they were cut', async () => {
    const { read } = tapped()
    const message = `${'x'.repeat(7980)} https://me:s3cret-of-mine@host`
    const longest = 'z'.repeat(8000)
    const log = [message, longest, `${longest}z`].map((text, at) => line(at, 'WARN', text)).join('')
    const { lines } = await read({ 'server.log': HEAD + log })
    expect(lines).toEqual([`warn ${'x'.repeat(7980)} https://me:[removed…`, `warn ${longest}`, `warn ${longest}…`])
  })

  test('leave no text of a file in the mark of how far it was read', async () => {
    const { read, tap } = tapped()
    await read({ 'server.log': HEAD + line(0, 'INFO', 'Password=s3cret-of-mine') })
    const marks = JSON.stringify([...tap.seeds()])
    expect(marks).toContain('"log-mark"')
    expect(marks).not.toContain('s3cret')
  })

  test.skipIf(isGate)('hold nothing of the lines beside them in memory', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    const { read } = tapped()
    const readParts = async (): Promise<void> => {
      let text = HEAD + FIRST
      for (let part = 0; part < 5; part++) {
        text += line(1, 'INFO', 'y'.repeat(1000)).repeat(4000) + line(2, 'WARN', 'w'.repeat(100))
        expect((await read({ 'server.log': text })).lines).toHaveLength(1)
      }
    }
    collectGarbage()
    const before = process.memoryUsage().heapUsed
    await readParts()
    collectGarbage()
    // The engine keeps the text of the last match: one part of five.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10e6)
  })

  test('of before the recording are left out, and one that may be half written waits for the next reading', async () => {
    const { read } = tapped(new StoredLogTap('info', TWO + TICKS_PER_SECOND))
    const whole = HEAD + FIRST + line(1, 'INFO', 'in time') + line(30, 'WARN', 'first\nsecond')
    const half = whole.slice(0, whole.indexOf('second'))
    expect((await read({ 'server.log': half }, TWO + 30 * TICKS_PER_SECOND)).lines).toEqual(['info in time'])
    expect((await read({ 'server.log': whole })).lines).toEqual(['warn first\nsecond'])
  })

  test('of a file that was renamed and of its successor are taken, also by a recorder that goes on', async () => {
    const { read, tap } = tapped()
    const old = HEAD + FIRST + line(1, 'WARN', 'one')
    await read({ 'server.log': old })
    const [mark] = tap.seeds() as Generator<LogMarkRecord>
    const next = tapped()
    if (mark !== undefined) next.tap.meet(JSON.parse(JSON.stringify(mark)) as LogMarkRecord)
    const renamed = {
      'server.0.log': old + line(2, 'WARN', 'two'),
      'server.log': HEAD + line(3, 'WARN', 'three'),
    }
    expect((await next.read(renamed)).lines).toEqual(['warn two', 'warn three'])
    expect(next.tap.from).toBe('2026-11-27T01:00:03.000Z')
  })

  test('that were removed before they were read are a gap, and so are all but the newest of very many', async () => {
    const { read } = tapped()
    await read({ 'server.log': HEAD + FIRST })
    const other = HEAD + line(20, 'INFO', 'begins again')
    expect((await read({ 'server.log': other })).lines).toEqual(['gap ring-lapped null'])
    const many = Array.from({ length: 20_003 }, (_, i) => line(21, 'WARN', String(i))).join('')
    const { lines } = await read({ 'server.log': other + many })
    expect([lines.length, lines[0], lines[1], lines.at(-1)]).toEqual([
      20_001,
      'gap paused-by-rookery 3',
      'warn 3',
      'warn 20002',
    ])
  })

  test('of a zip that is cut are not taken, and are there with the next one', async () => {
    const { read, tap } = tapped()
    const files = { 'server.log': HEAD + FIRST + line(1, 'WARN', 'one') }
    await expect(tap.read(zip(files).slice(0, -30))).rejects.toThrow('cut')
    expect((await read(files)).lines).toEqual(['warn one'])
  })

  test('of RavenDB before 7.1 have no levels', async () => {
    const { lines, hasLevels } = await tapped().read({
      'a.log': 'Time, Thread, Level, Source, Logger, Message, Exception\n',
    })
    expect({ lines, hasLevels }).toEqual({ lines: [], hasLevels: false })
  })
})
