import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { bulk, createDatabase, json, put, RavenError } from '../../tools/ravendb/client.mjs'
import { quantityOf } from '../audit/quantity.ts'
import { FakeServer } from '../support/fake-server.ts'
import { NETWORK_NOISE } from '../support/fake.ts'
import { expect, startRaven, test } from '../support/raven.ts'

/* A disk fills up: Triage says so, who fills it, and that writes fail. */

test.skip(({ ravenVersion }) => ravenVersion !== '7.1.5', 'The volumes are reported alike by all versions.')

const MIB = 1024 ** 2
/** Volume of which less than a GiB is free once a server has made its files. */
const VOLUME_MIB = 1200
const GROWING = 'growing'
/** Whose growth it is, is said after five minutes of it. */
const NAMED_MS = 400_000
/** The server reports its volumes once a minute. */
const REPORTED_MS = 100_000
/** Bytes of a document that does not compress. */
const TEXT = 100_000
/** The data file doubles as it grows: with more documents the disk would be full before that is said. */
const EVERY_MS = 400

test('a disk that fills up is found, with who fills it @full', async ({ page, ravenVersion }) => {
  test.setTimeout(NAMED_MS + 4 * REPORTED_MS)
  const folder = await mkdtemp(join(tmpdir(), 'rookery-disk-'))
  const volume = join(folder, 'volume')
  await mkdir(volume)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${String(VOLUME_MIB)}m`, 'tmpfs', volume])
  if (mounted.status !== 0) await rm(folder, { recursive: true })
  test.skip(mounted.status !== 0, 'This user may mount no volume.')
  const dataDir = join(volume, 'data')
  await mkdir(dataDir)
  const raven = await startRaven({ version: ravenVersion, dataDir })
  /** Bytes that its files have taken of the volume. */
  const takenBytes = (...without: string[]): number => {
    const { stdout } = spawnSync('du', ['-sk', ...without, join(dataDir, 'Databases', GROWING)], { encoding: 'utf8' })
    return Number.parseInt(stdout, 10) * 1024
  }
  const dataBytes = (): number => takenBytes('--exclude=Journals')
  const over = new AbortController()
  let [writing, isWriting]: [Promise<void>, boolean] = [Promise.resolve(), true]
  try {
    for (const name of [GROWING, 'quiet']) await createDatabase(raven.url, name)
    await page.goto(raven.studio('#/triage?v=2'))
    const finding = page
      .getByRole('region', { name: 'Triage' })
      .getByRole('listitem')
      .filter({ hasText: `The disk ${volume} has ` })
      .first()
    await expect(finding).toBeVisible({ timeout: REPORTED_MS })
    const [dataBefore, before] = [dataBytes(), takenBytes()]
    writing = (async () => {
      for (let id = 0; !over.signal.aborted; id++) {
        const text = randomBytes(TEXT / 2).toString('hex')
        await bulk(raven.url, GROWING, [put(`files/${String(id)}`, 'Files', { Text: text })])
        await sleep(EVERY_MS)
      }
    })().catch(() => {
      // A disk that is full refuses writes: expected below not to have happened yet.
      isWriting = false
    })
    const evidence = finding.getByText(/Data of RavenDB grew by .+: “growing” [\d.]+ \w+[,.]/)
    await expect(evidence).toBeVisible({ timeout: NAMED_MS + REPORTED_MS })
    const sentence = await evidence.innerText()
    const [dataGrown, grown] = [dataBytes() - dataBefore, takenBytes() - before]
    const [, ofAll = '', how = '', ofGrowing = ''] =
      /grew by ([\d.]+ \w+)(.*): “growing” ([\d.]+ \w+)[,.]/.exec(sentence) ?? []
    const [all = 0, growing = 0] = [ofAll, ofGrowing].map((text) => quantityOf(text)?.value ?? Number.NaN)
    expect(growing).toBeGreaterThan(50 * MIB)
    // Sizes are read once a minute, of files that grow in steps: a half at least, and at most all files, of whose journals the server
    // counts those that it will use again.
    expect(growing).toBeGreaterThan(dataGrown / 2)
    expect(growing).toBeLessThanOrEqual(grown + 5 * MIB)
    // A part above the whole is said to be of another moment.
    if (how === '') expect(all).toBeGreaterThanOrEqual(growing * 0.99)
    else expect(growing).toBeGreaterThan(all * 0.9)
    expect(isWriting, 'the disk was still filling up').toBe(true)

    await test.step('the link leads to the volume', async () => {
      await finding.getByRole('link').first().click()
      await expect(page.getByRole('region', { name: 'Volumes' })).toContainText(volume)
    })
  } finally {
    over.abort()
    await writing
    await page.goto('about:blank')
    await raven.close()
    spawnSync('umount', [volume])
    await rm(folder, { recursive: true, force: true })
  }
})

/** Volume that is full soon after the files of a server and of a database are there. */
const FULL_MIB = 700
/** Judged every five seconds; the log is read at the first failure. */
const FOUND_MS = 15_000

test('writes that fail are found within seconds, live and in a debug package, and conflicts are not @full', async ({
  page,
  ravenVersion,
  complaints,
}) => {
  test.setTimeout(300_000)
  complaints.allow(NETWORK_NOISE)
  const folder = await mkdtemp(join(tmpdir(), 'rookery-full-'))
  const volume = join(folder, 'volume')
  await mkdir(volume)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${String(FULL_MIB)}m`, 'tmpfs', volume])
  if (mounted.status !== 0) await rm(folder, { recursive: true })
  test.skip(mounted.status !== 0, 'This user may mount no volume.')
  const unmount = async (): Promise<void> => {
    spawnSync('umount', [volume])
    await rm(folder, { recursive: true, force: true })
  }
  const dataDir = join(volume, 'data')
  await mkdir(dataDir)
  const raven = await startRaven({ version: ravenVersion, dataDir }).catch(async (error: unknown) => {
    await unmount()
    throw error
  })
  const alone = await new FakeServer().start()
  alone.fault(/./, { status: 404, type: 'text/html', body: '<!doctype html><title>Not found</title>' })
  const over = new AbortController()
  const writers: Promise<void>[] = []
  let failedMs: number | null = null
  try {
    await createDatabase(raven.url, 'shop')
    await bulk(raven.url, 'shop', [put('files/first', 'Files', { Text: '' })])
    await page.goto(raven.studio('#/triage?v=2'))
    const findings = page.getByRole('region', { name: 'Triage' }).getByRole('listitem')
    const conflict = async (): Promise<void> => {
      const response = await fetch(`${raven.url}/databases/shop/docs?id=files/first`, {
        method: 'PUT',
        headers: { 'If-Match': '"A:999-xxxxxxxxxxxxxxxxxxxxxx"', 'Content-Type': 'application/json' },
        body: '{}',
      })
      expect(response.status).toBe(409)
      await fetch(`${raven.url}/databases/shop/docs?id=none`)
    }
    await test.step('conflicts and reads that find nothing are no fault', async () => {
      await expect(findings.filter({ hasText: `The disk ${volume} has ` }).first()).toBeVisible({
        timeout: REPORTED_MS,
      })
      const until = Date.now() + 2 * FOUND_MS
      while (Date.now() < until) {
        await conflict()
        await sleep(200)
      }
      await expect(findings.filter({ hasText: /to “shop” fail/ })).toHaveCount(0)
    })
    writers.push(
      (async () => {
        for (let id = 0; !over.signal.aborted; id++) {
          const text = randomBytes(3 * TEXT).toString('hex')
          try {
            await bulk(raven.url, 'shop', [put(`files/${String(id)}`, 'Files', { Text: text })])
          } catch (error) {
            expect(error instanceof RavenError ? error.status : error).toBe(503)
            failedMs ??= Date.now()
            await sleep(300)
          }
        }
      })(),
    )
    await test.step('writes that fail are found, with the reason', async () => {
      await expect.poll(() => failedMs, { timeout: REPORTED_MS }).not.toBeNull()
      const finding = findings.filter({ hasText: 'Writes to “shop” fail: the disk is full.' }).first()
      await expect(finding).toBeVisible({ timeout: FOUND_MS })
      expect(Date.now() - (failedMs ?? 0)).toBeLessThan(FOUND_MS)
      await expect(finding.getByText(/failed.*: POST \/databases\/shop\/bulk_docs, status 503\./)).toBeVisible()
      await expect(finding.getByText(/DiskFullException: .*No space left on device/)).toBeVisible()
      // Free space is not that of a minute ago.
      await expect(finding.getByText(new RegExp(`The disk ${volume} has [\\d.]+ [KM]iB of 700 MiB free`))).toBeVisible()
    })
    await test.step('a package that was made then says so, too', async () => {
      await sleep(Math.max(0, 3000 - (Date.now() - (failedMs ?? 0))))
      const response = await fetch(`${raven.url}/admin/debug/info-package?type=Databases`)
      const path = join(folder, 'package.zip')
      await writeFile(path, Buffer.from(await response.arrayBuffer()))
      expect(await json(raven.url, '/databases/shop/notifications')).toMatchObject({ TotalResults: 0 })
      await page.goto(alone.studio())
      await expect(page.getByRole('heading', { name: 'No server here' })).toBeVisible()
      await page.getByLabel('Open files', { exact: true }).setInputFiles(path)
      await expect(page.getByText(/Writes to “shop” fail: its disk is full, or refuses writes/).first()).toBeVisible({
        timeout: 30_000,
      })
    })
  } finally {
    over.abort()
    await Promise.all(writers)
    await page.goto('about:blank')
    await alone.stop()
    await raven.close()
    await unmount()
  }
})
