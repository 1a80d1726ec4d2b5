import { setTimeout as sleep } from 'node:timers/promises'
import { bulk, createDatabase, databasePath, put, putIndexes } from '../../../tools/ravendb/client.mjs'
import { userDocument } from '../../../tools/workload/users.mjs'
import { idle, lookAtRange } from '../../support/studio.ts'
import { filesOf } from '../kernel.ts'
import { AUDITED_INDEXES } from '../load.ts'
import { readOutline } from '../outline.ts'
import type { Bracket } from '../report.ts'
import type { Visit } from '../visit.ts'
import { request, folderOf, type World } from '../world.ts'

/** Written at once: its journals are flushed, and wait for a data sync, when the page looks. */
const DATABASE = 'flushed'
const DOCUMENTS = 20_000
const BATCH = 200
/** Transactions in one journal, of which the server sums up the older ones. */
const SINGLE = 700
const STEP_MS = 60_000
/** Events that the server folds into one sum. */
const FOLDED = 257

/** Disk space of a database, and its rates of I/O, where the server reported most of it as sums. */
export async function auditStorage(visit: Visit, world: World): Promise<void> {
  const { raven, load } = world
  await load.stop()
  await createDatabase(raven.url, DATABASE)
  await putIndexes(raven.url, DATABASE, AUDITED_INDEXES)
  for (let n = 0; n < SINGLE; n++) await bulk(raven.url, DATABASE, [put(`things/${n}`, 'Things', { N: n })])
  for (let first = 0; first < DOCUMENTS; first += BATCH)
    await bulk(
      raven.url,
      DATABASE,
      Array.from({ length: BATCH }, (_, i) => put(`users/${first + i}`, 'Users', userDocument(1, first + i, 0))),
    )
  await indexed(world)
  await auditSizes(visit, world)
  await auditRates(visit, world)
}

async function indexed(world: World): Promise<void> {
  for (let tries = 0; tries < STEP_MS / 500; tries++) {
    const { Indexes } = await request<{ Indexes: { IsStale: boolean }[] }>(world, `${databasePath(DATABASE)}/stats`)
    if (Indexes.every(({ IsStale }) => !IsStale)) return
    await sleep(500)
  }
}

interface StorageReport {
  readonly Results: readonly {
    readonly Report: {
      readonly Journals: readonly { readonly Flushed?: boolean; readonly AllocatedSpaceInBytes: number }[]
    }
  }[]
}

async function auditSizes({ page, report }: Visit, world: World): Promise<void> {
  const files = async (): Promise<{ data: number; temp: number; flushed: number }> => {
    const { data, buffers, recyclable } = await filesOf(folderOf(world.raven, DATABASE))
    const { Results } = await request<StorageReport>(world, `${databasePath(DATABASE)}/debug/storage/report`)
    const journals = Results.flatMap(({ Report: { Journals } }) => Journals)
    const flushed = journals.reduce((sum, each) => sum + (each.Flushed === true ? each.AllocatedSpaceInBytes : 0), 0)
    return { data, temp: buffers + recyclable, flushed }
  }
  const before = await files()
  await page.goto(world.raven.studio('#/databases?v=1'))
  const row = page.getByRole('table', { name: 'Databases' }).getByRole('row').filter({ hasText: DATABASE })
  await row.waitFor({ timeout: STEP_MS })
  const listed = (await readOutline(page)).table('Databases')?.cell(DATABASE, 'On disk')
  await page.getByRole('button', { name: `Details of ${DATABASE}` }).click()
  const storage = page.getByRole('region', { name: `Storage of ${DATABASE}` })
  await storage.getByText('In all').waitFor({ timeout: STEP_MS })
  const [, data, temp] = /In all ([\d.,]+ \w+) on disk and ([\d.,]+ \w+) of temp/.exec(await storage.innerText()) ?? []
  const after = await files()
  const between = (a: number, b: number): Bracket => ({ least: Math.min(a, b), most: Math.max(a, b) })
  report.claim('Databases', {
    figure: 'On disk, at least',
    of: DATABASE,
    shown: listed?.startsWith('≥') === true ? listed : `${listed ?? 'nothing'}, without ≥`,
    truth: {
      least: Math.min(before.data - before.flushed, after.data - after.flushed),
      most: Math.max(before.data, after.data),
    },
    allow: { why: 'without journals that wait for a data sync, and never more than its files' },
  })
  report.claim('Database', {
    figure: 'Storage: in all on disk',
    of: DATABASE,
    shown: data,
    truth: between(before.data, after.data),
  })
  report.claim('Database', {
    figure: 'Storage: in all of temporary files',
    of: DATABASE,
    shown: temp,
    truth: between(before.temp, after.temp),
  })
}

interface IoDocument {
  readonly Environments: readonly {
    readonly Files: readonly {
      readonly File: string
      readonly Recent: readonly Measured[]
      readonly History: readonly Measured[]
    }[]
  }[]
}
interface Counted extends Measured {
  readonly events: number
}
interface Measured {
  readonly Type: string
  readonly Start: string
  readonly Size?: number
  readonly OriginalSize?: number
  readonly Duration: number
  readonly ActiveDuration?: number
}

const single = (each: Measured): Counted => ({ ...each, events: 1 })
const folded = (each: Measured): Counted => ({ ...each, events: FOLDED })

const ticksOf = (text: string): number => (Date.parse(text) - Date.UTC(2020, 0)) * 10_000

/** Before the page looks everything has happened: what it gets is what any client gets. */
async function auditRates({ page, report }: Visit, world: World): Promise<void> {
  await page.goto(world.raven.studio(`#/io?v=1&s=db:${DATABASE}`))
  await page.getByRole('application', { name: 'I/O timeline' }).waitFor({ timeout: STEP_MS })
  const { Environments } = await request<IoDocument>(world, `${databasePath(DATABASE)}/debug/io-metrics`)
  const own = Environments.flatMap(({ Files }) => Files)
    // Preparing a journal is no commit.
    .filter(({ File }) => !File.startsWith('recyclable'))
    .flatMap(({ Recent, History }) => Recent.map(single).concat(History.map(folded)))
    .filter(({ Type }) => Type === 'JournalWrite')
  const fromTicks = Math.min(...own.map(({ Start }) => ticksOf(Start))) - 10_000_000
  const toTicks = Math.max(...own.map(({ Start, Duration }) => ticksOf(Start) + Duration * 10_000)) + 10_000_000
  const seconds = (toTicks - fromTicks) / 10_000_000
  await lookAtRange(page, fromTicks, toTicks)
  await idle(page)
  const table = (await readOutline(page)).find('group', 'Summary of the view')?.table()
  const sum = (of: (each: Counted) => number): number => own.reduce((all, each) => all + of(each), 0)
  const truths = {
    'Bytes/s': sum(({ OriginalSize, Size }) => OriginalSize ?? Size ?? 0) / seconds,
    'Events/s': sum(({ events }) => events) / seconds,
    Busy: sum(({ ActiveDuration, Duration }) => ActiveDuration ?? Duration) / 1000 / seconds,
    'Roll-ups': own.filter(({ events }) => events > 1).length,
  }
  for (const [column, truth] of Object.entries(truths))
    report.claim('I/O', {
      figure: `Journal write beside roll-ups: ${column}`,
      of: DATABASE,
      shown: table?.cell('Journal write', column),
      truth,
      allow: { relative: 0.005, why: 'the ends of the range are rounded to milliseconds' },
    })
}
