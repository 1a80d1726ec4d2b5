import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { joinBeside } from '../../tools/beside.mjs'
import { getRavenDb } from '../../tools/ravendb/get.mjs'
import { layoutOf } from '../../tools/ravendb/layout.mjs'
import { startRavenDb } from '../../tools/ravendb/run.mjs'
import { THRIFTY } from '../../tools/ravendb/thrifty.mjs'
import { expect, test } from '../support/raven.ts'

test('beside the official Studio: both are served by one zip, each at its own address @full', async ({
  page,
  ravenVersion,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-beside-'))
  const { dir } = await getRavenDb({ version: ravenVersion })
  const official = join(layoutOf(dir)?.server ?? dir, 'Raven.Studio.zip')
  joinBeside({ official, dist: resolve(import.meta.dirname, '../../dist'), out: folder })
  const server = await startRavenDb({ version: ravenVersion, studioPath: folder, env: THRIFTY })
  try {
    await page.goto(`${server.url}/studio/rookery/index.html`)
    await expect(page.getByRole('region', { name: 'Vital signs' })).toBeVisible()
    await expect(page.getByRole('status', { name: 'Server', exact: true })).toContainText('connected')
    const theirs = await fetch(`${server.url}/studio/index.html`)
    expect(await theirs.text()).toContain('Raven.Studio')
  } finally {
    // The page goes first: it fetches its other panels soon after the first.
    await page.goto('about:blank')
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
})
