import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { GapLog } from '../../../../capture/worker/gap-log.ts'
import { readDocument } from '../../../../capture/reading/document.ts'
import { sniffPaths } from '../../../../capture/reading/sniff.ts'
import { listZip, openZipEntry } from '../../../../capture/reading/zip.ts'
import { StacksFeed } from '../feed.ts'

const zip = new Blob([
  readFileSync(join(import.meta.dirname, '../../../../testing/recorded/7.1/debug-info-package.zip')),
])

it('finds stacks and threads in a debug package, and takes nothing else for them', async () => {
  const feed = new StacksFeed({ tabs: null })
  const read: string[] = []
  for (const entry of (await listZip(zip)) ?? []) {
    if (!entry.name.endsWith('.json') || entry.bytes === 0) continue
    const bytes = new Uint8Array(await new Response(await openZipEntry(zip, entry)).arrayBuffer())
    if (!feed.recognises(sniffPaths(bytes.subarray(0, 65_536)))) continue
    read.push(entry.name)
    const end = await readDocument(new Blob([bytes]).stream(), {
      choose: () =>
        feed.reader(
          'file:package',
          new GapLog(),
          () => {},
          new Set(),
          () => {},
        ),
      mismatch: () => {},
      progress: () => {},
      signal: new AbortController().signal,
      turn: () => Promise.resolve(),
      now: () => 0,
    })
    expect(end.broken).toBeNull()
  }
  expect(read.toSorted()).toEqual([
    'server-wide/admin.threads.runaway.json',
    'server-wide/admin.threads.stack-trace.json',
  ])
  const { snapshots } = feed.responses['stacks.state']()
  expect(snapshots).toMatchObject([
    { origin: 'file', nodeTag: 'A', sampled: 32, threads: 43 },
    { origin: 'file', nodeTag: 'A', sampled: 0, threads: 43 },
  ])
})
