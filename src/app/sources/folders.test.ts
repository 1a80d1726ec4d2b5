import { expect, it, onTestFinished, vi } from 'vitest'
import { emptyManifest, type ArchiveFile } from '../../capture/archive/manifest.ts'
import { recordings } from '../../capture/archive/recordings.ts'
import { folderEntry } from '../../testing/folder-entry.ts'
import { openFolders, openServed } from './folders.ts'

async function dropped(...folders: readonly FileSystemDirectoryEntry[]) {
  const opened: string[] = []
  const capture = {
    openFiles: (files: readonly File[]) => void opened.push(...files.map(({ name }) => name)),
    getState: () => ({ files: [], sources: [] }),
  } as unknown as Parameters<typeof openFolders>[2]
  return { opened, ...(await openFolders(folders, [new File([], 'beside.json')], capture, null)) }
}

it('opens the journals of a server, which are no recording', async () => {
  const path = 'Journals/0000000000000000001.journal'
  expect(await dropped(folderEntry('Databases', [path, 'Raven.voron']))).toEqual({
    opened: ['beside.json', '0000000000000000001.journal', 'Raven.voron'],
    hasRecording: false,
    problem: null,
  })
})

it.each([
  ['recording', 'journal/a_8080.3.journal'],
  ['journal', 'a_8080.3.journal'],
  ['recording', 'io/day=2026-11-20/1.parquet'],
  ['day=2026-11-20', '1.parquet'],
])('of %s with %s says that its manifest is missing, and opens the rest', async (name, path) => {
  const { opened, problem } = await dropped(folderEntry(name, [path]), folderEntry('others', ['a.json']))
  expect(opened).toEqual(['beside.json', 'a.json'])
  expect(problem).toContain(`${name} has files of a recording, but not its manifest.json`)
})

it('knows of a recording that lacks a file, and opens its others', async () => {
  const fileOf = (hour: number): ArchiveFile => ({
    path: `io/node=a_8080/day=2026-11-26/${String(hour)}.parquet`,
    table: 'io',
    node: 'a_8080',
    day: '2026-11-26',
    rows: 1,
    bytes: 5,
    minTicks: hour,
    maxTicks: hour,
  })
  const manifest = { ...emptyManifest(), files: [fileOf(1), fileOf(2)] }
  const folder = folderEntry('lacking-one', ['manifest.json', fileOf(2).path], {
    'manifest.json': JSON.stringify(manifest),
  })
  expect(await dropped(folder)).toEqual({
    opened: ['lacking-one', 'beside.json'],
    hasRecording: true,
    problem: `The folder lacks ${fileOf(1).path}.`,
  })
})

it.each([
  ['refuses', () => Promise.resolve(new Response('The folder is gone.', { status: 500 })), 'The folder is gone.'],
  ['serves another list', () => Promise.resolve(Response.json(null)), /^(?!.*does not answer)/],
  ['does not answer', () => Promise.reject(new TypeError('Failed to fetch')), 'does not answer: start it again'],
])('says why a served recording that %s is not open', async (_, fetched, words) => {
  const fetching = vi.spyOn(globalThis, 'fetch').mockImplementation(fetched)
  onTestFinished(() => fetching.mockRestore())
  onTestFinished(() => recordings.setUnopened(''))
  await openServed({ openFiles: () => undefined, getState: () => ({ files: [] }) as never })
  expect(recordings.unopened()).toMatch(words)
})
