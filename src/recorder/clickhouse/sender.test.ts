import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { parseTicks, TICKS_PER_SECOND } from '../../base/ticks.ts'
import type { ArchiveRecord } from '../../capture/archive/records.ts'
import { readParquet } from '../../capture/archive/read-parquet.ts'
import { clickHouseFront, type FrontRequest, type FrontResponse } from '../../testing/server/clickhouse-front.ts'
import { fold } from '../fold.ts'
import { Folder } from '../folder.ts'
import { Pending } from '../pending.ts'
import { ClickHouse } from './client.ts'
import { SCHEMA_VERSION } from './schema.ts'
import { Sender } from './sender.ts'

const PASSWORD = 's3cret ß密'
const DAYS = { events: 3, slow: 30, seconds: 30, minutes: 365, rest: 30 }
const NODE = { name: 'a_8080', url: 'http://a:8080' }
const TWO = parseTicks('2026-11-26T02:00:00.0000000Z')

const io = (seconds: number, source = 'db:shop'): ArchiveRecord => ({
  t: 'io',
  source,
  path: '/data/shop',
  type: 'Documents',
  kind: 'JournalWrite',
  file: '0.journal',
  c: [[TWO + seconds * TICKS_PER_SECOND], [20_000], [4096], [-1], [-1], [-1]],
})

let path = ''
let folder: Folder
let respond: (request: FrontRequest) => FrontResponse = () => ({ status: 200, text: '' })
let inserts: FrontRequest[] = []
let users = new Set<string>()
let said: string[] = []
let front: Awaited<ReturnType<typeof clickHouseFront>>
let sender: Sender | null = null

beforeEach(async () => {
  path = mkdtempSync(join(tmpdir(), 'spool-'))
  folder = await Folder.open(path)
  ;[inserts, said, users] = [[], [], new Set()]
  respond = () => ({ status: 200, text: '' })
  front = await clickHouseFront((request) => {
    users.add(`${request.user}:${request.password}`)
    if (request.sql === 'SELECT version()') return { status: 200, text: '26.9.2.1\n' }
    if (request.sql.includes('system.tables')) return { status: 200, text: '{"tables":"1"}\n' }
    if (request.sql.includes('max(version)'))
      return { status: 200, text: `{"first":1,"newest":${String(SCHEMA_VERSION)}}\n` }
    if (request.body.length === 0) return { status: 200, text: '' }
    inserts.push(request)
    return respond(request)
  })
})
afterEach(async () => {
  await sender?.stop()
  sender = null
  front.close()
  rmSync(path, { recursive: true, force: true })
})

let journal = 0
const wait = async (...records: ArchiveRecord[]): Promise<void> => {
  const pending = new Pending()
  for (const record of records) pending.take(record)
  await fold(folder, NODE, pending, ++journal)
}

const send = (maxBytes = Number.POSITIVE_INFINITY): Sender => {
  const address = { url: front.url, database: 'rookery', user: 'me', password: PASSWORD }
  const { name } = NODE
  sender = new Sender({
    folder,
    clickHouse: new ClickHouse(address),
    nodeOf: (node) => (node === name ? 'fleet-a' : node),
    days: DAYS,
    maxBytes,
    say: (text) => said.push(text),
    failed: (error) => said.push(String(error)),
    retryMs: [1, 5],
    lastMs: 100,
  })
  sender.start()
  return sender
}

const tokenOf = ({ sql }: FrontRequest): string => /deduplication_token = '(\w+)'/.exec(sql)?.[1] ?? ''
const untilEmpty = async (): Promise<void> => {
  await expect.poll(() => folder.manifest.files).toEqual([])
}

describe('what is sent to ClickHouse', () => {
  test('is each file once, as it is, and goes from the folder when it is acknowledged', async () => {
    await wait(io(0), { t: 'vital', key: 'cpu.process', ticks: [TWO], values: [12.5] })
    const by = send()
    await untilEmpty()
    expect(new Set(inserts.map(({ sql }) => /^INSERT INTO (\w+)/.exec(sql)?.[1]))).toEqual(new Set(['io', 'vitals']))
    expect(inserts).toHaveLength(2)
    const own = inserts.find(({ sql }) => sql.startsWith('INSERT INTO io '))
    expect(own?.params).toEqual({ node: 'fleet-a' })
    const rows = []
    for await (const { columns } of readParquet('io', new Blob([Uint8Array.from(own?.body ?? [])])))
      rows.push(columns['start_ticks']?.[0], columns['duration_ticks']?.[0])
    expect(rows).toEqual([TWO, 20_000])
    expect(users).toEqual(new Set([`me:${PASSWORD}`]))
    expect(by.figures).toMatchObject({ sentRows: 2, failures: 0, droppedRows: 0, lagMs: 0, error: '' })
    // Files go after their entries in the list.
    await expect.poll(() => readdirSync(join(path, 'io/node=a_8080/day=2026-11-26'))).toEqual([])
  })

  test('goes from the folder together, so that the list of many files is not written for each', async () => {
    for (let at = 0; at < 5; at++) await wait(io(60 * at))
    const drops: number[] = []
    const drop = folder.drop.bind(folder)
    folder.drop = (files) => {
      if (files.length > 0) drops.push(files.length)
      return drop(files)
    }
    const by = send()
    await untilEmpty()
    expect(drops).toEqual([5])
    expect(by.figures).toMatchObject({ sentRows: 5, lagMs: 0 })
  })

  test('is sent again with the same token where the acknowledgement was lost, by a later start as well', async () => {
    await wait(io(0))
    respond = () => 'lost'
    const first = send()
    await expect.poll(() => inserts.length).toBeGreaterThan(1)
    expect(first.figures.failures).toBeGreaterThan(0)
    expect(first.figures.lagMs).toBeGreaterThan(0)
    await first.stop()
    expect(folder.manifest.files).toHaveLength(1)
    folder = await Folder.open(path)
    respond = () => ({ status: 200, text: '' })
    send()
    await untilEmpty()
    expect(new Set(inserts.map(tokenOf)).size).toBe(1)
    await wait(io(0))
    await untilEmpty()
    expect(new Set(inserts.map(tokenOf)).size).toBe(2)
  })

  test('waits while ClickHouse has too much to do, and says so once, without the password', async () => {
    await wait(io(0))
    let refusals = 0
    respond = () =>
      refusals++ < 3
        ? { status: 500, text: `Code: 252. DB::Exception: Too many parts, ${PASSWORD}` }
        : { status: 200, text: '' }
    const by = send()
    await untilEmpty()
    expect(by.figures).toMatchObject({ failures: 3, sentRows: 1 })
    await expect.poll(() => said).toHaveLength(2)
    expect(said[0]).toContain('Too many parts, …. Rows wait in the folder')
    expect(said[1]).toContain('takes rows again')
    expect(said.join(' ')).not.toContain(PASSWORD)
  })

  test('goes on with other files where one is refused', async () => {
    await wait(io(0))
    await wait(io(60))
    const [bad] = folder.manifest.files
    let first = ''
    respond = (request) => {
      first ||= tokenOf(request)
      return tokenOf(request) === first ? { status: 400, text: 'Code: 117. Bad rows' } : { status: 200, text: '' }
    }
    const by = send()
    await expect.poll(() => folder.manifest.files).toEqual([bad])
    expect(inserts).toHaveLength(2)
    // All is well only when no file that was refused waits.
    expect(said.join(' ')).not.toContain('takes rows again')
    expect(by.figures.error).toContain('Bad rows')
  })

  test('is nothing of a table that only a later version knows, which waits, and the others go', async () => {
    await wait(io(0))
    const [known] = folder.manifest.files
    if (known === undefined) throw new Error('There is no file.')
    const later = { ...known, path: known.path.replace('io/', 'sessions/'), table: 'sessions' as never, minTicks: 0 }
    folder.commit({ ...NODE, journal }, [later])
    send()
    await expect.poll(() => folder.manifest.files).toEqual([later])
    await expect.poll(() => said.at(-1)).toContain('is of a newer version of Rookery: it waits for that one')
    expect(inserts).toHaveLength(1)
  })

  test('is bounded: the oldest files go, and gaps with their storages and times are sent in their place', async () => {
    await wait(io(0), io(5), io(3, 'db:other'))
    await wait(io(60))
    await wait(io(120))
    const bytes = folder.manifest.files.reduce((sum, file) => sum + file.bytes, 0)
    respond = () => 'lost'
    const by = send(bytes - 1)
    await expect.poll(() => by.figures.droppedRows).toBe(3)
    expect(folder.manifest.files.map(({ table }) => table)).toEqual(['gaps', 'io', 'io'])
    expect(said.join(' ')).toContain('3 rows were not sent')
    respond = () => ({ status: 200, text: '' })
    await untilEmpty()
    const gaps = inserts.findLast(({ sql }) => sql.startsWith('INSERT INTO gaps'))
    const rows: unknown[] = []
    for await (const { columns, length } of readParquet('gaps', new Blob([Uint8Array.from(gaps?.body ?? [])])))
      for (let row = 0; row < length; row++)
        rows.push(['source', 'reason', 'start_ticks', 'end_ticks', 'missing_count'].map((name) => columns[name]?.[row]))
    expect(rows).toEqual([
      ['db:other', 'not-sent', TWO + 3 * TICKS_PER_SECOND, TWO + 3 * TICKS_PER_SECOND + 20_000, 1],
      ['db:shop', 'not-sent', TWO, TWO + 5 * TICKS_PER_SECOND + 20_000, 2],
    ])
  })

  test('is bounded where the oldest file cannot be read: it goes, a gap has its time, and the recording goes on', async () => {
    await wait(io(0))
    await wait(io(60))
    const [broken] = folder.manifest.files
    writeFileSync(join(path, broken?.path ?? ''), 'no Parquet')
    respond = () => 'lost'
    const by = send(folder.bytes - 1)
    await expect.poll(() => by.figures.droppedRows).toBe(1)
    expect(folder.manifest.files.map(({ table }) => table)).toEqual(['gaps', 'io'])
    expect(folder.manifest.files[0]).toMatchObject({ minTicks: broken?.minTicks, maxTicks: broken?.maxTicks })
    expect(said.join(' ')).toContain(`${broken?.path ?? ''} cannot be read, and goes as a whole`)
    respond = () => ({ status: 200, text: '' })
    await untilEmpty()
  })

  test('ends in time where ClickHouse takes a connection and does not answer', async () => {
    front.close()
    let isReached = false
    front = await clickHouseFront(() => {
      isReached = true
      return new Promise(() => undefined)
    })
    await wait(io(0))
    const by = send()
    await expect.poll(() => isReached).toBe(true)
    await by.stop()
    expect(said.join(' ')).toContain('1 files are not sent yet')
  }, 30_000)

  test('is nothing where the database has tables of a later version', async () => {
    front.close()
    front = await clickHouseFront(({ sql }) => ({
      status: 200,
      text:
        sql === 'SELECT version()'
          ? '26.9'
          : sql.includes('system.tables')
            ? '{"tables":"1"}'
            : `{"first":1,"newest":${String(SCHEMA_VERSION + 1)}}`,
    }))
    await wait(io(0))
    send()
    await vi.waitFor(() =>
      expect(said.join(' ')).toContain(
        `has tables of version ${String(SCHEMA_VERSION + 1)}, and this Rookery knows ${String(SCHEMA_VERSION)}`,
      ),
    )
    expect(folder.manifest.files).toHaveLength(1)
  })
})
