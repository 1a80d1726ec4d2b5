import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { strToU8, unzipSync, zipSync } from 'fflate'
import { expect, NETWORK_NOISE, test } from '../support/fake.ts'

const PACKAGE = join(import.meta.dirname, '../../src/testing/recorded/7.1/debug-info-package.zip')

test('what a package lacks, and what is broken in it, is said and never called healthy', async ({
  page,
  fake,
  complaints,
}) => {
  complaints.allow(NETWORK_NOISE)
  const broken: Record<string, Uint8Array> = {
    'shop/stats.error': strToU8('Exception throw time: now\nSystem.IO.IOException: The disk is gone.\n at X'),
    'shop/indexes.stats.error': strToU8('System.IO.IOException: The disk is gone.'),
    'shop/tasks.json': strToU8('{"OngoingTasks":['),
    'shop/documents.huge.json': new Uint8Array(0),
    '../../evil/stats.json': strToU8('{}'),
  }
  for (const [path, bytes] of Object.entries(unzipSync(await readFile(PACKAGE))))
    if (path.startsWith('server-wide/')) broken[path] = bytes
  fake.fault(/./, { status: 404, type: 'text/html', body: '<!doctype html><title>Not found</title>' })
  await page.goto(fake.studio('#open'))
  await page.getByLabel('Open files', { exact: true }).setInputFiles({
    name: 'broken.zip',
    mimeType: 'application/zip',
    buffer: Buffer.from(zipSync(broken)),
  })
  const triage = page.getByRole('region', { name: 'Triage' })
  await expect(triage.getByRole('status')).toHaveText(/^As of .*: The database “shop” failed to load\.$/)
  await triage.getByText('4 responses could not be gathered or read').click()
  for (const words of [
    'The server could not gather it: System.IO.IOException: The disk is gone.',
    'The entry is empty.',
  ])
    await expect(triage.locator('dd').getByText(words).first()).toBeVisible()
  await expect(triage.locator('dd').getByText('It is not complete JSON.').first()).toBeVisible()
})
