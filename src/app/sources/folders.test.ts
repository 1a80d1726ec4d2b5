import { expect, it } from 'vitest'
import { openFolders } from './folders.ts'

/** Folder as a browser hands it over, with empty files at these paths. */
function folderOf(name: string, paths: readonly string[]): FileSystemDirectoryEntry {
  const children = new Map<string, string[]>()
  for (const path of paths) {
    const [first = '', ...rest] = path.split('/')
    children.set(first, [...(children.get(first) ?? []), ...(rest.length === 0 ? [] : [rest.join('/')])])
  }
  const entries = [...children].map(([child, below]) =>
    below.length > 0
      ? folderOf(child, below)
      : { name: child, isDirectory: false, file: (done: (file: File) => void) => done(new File([], child)) },
  )
  return {
    name,
    isDirectory: true,
    createReader: () => ({ readEntries: (done: (all: unknown[]) => void) => done(entries.splice(0)) }),
  } as unknown as FileSystemDirectoryEntry
}

async function dropped(...folders: readonly FileSystemDirectoryEntry[]) {
  const opened: string[] = []
  const capture = {
    openFiles: (files: readonly File[]) => void opened.push(...files.map(({ name }) => name)),
  } as unknown as Parameters<typeof openFolders>[2]
  const problem = await openFolders(folders, [new File([], 'beside.json')], capture, null).then(
    () => null,
    (error: unknown) => (error as Error).message,
  )
  return { opened, problem }
}

it('opens the journals of a server, which are no recording', async () => {
  const path = 'Journals/0000000000000000001.journal'
  expect(await dropped(folderOf('Databases', [path, 'Raven.voron']))).toEqual({
    opened: ['beside.json', '0000000000000000001.journal', 'Raven.voron'],
    problem: null,
  })
})

it.each([
  ['recording', 'journal/a_8080.3.journal'],
  ['journal', 'a_8080.3.journal'],
  ['recording', 'io/day=2026-11-20/1.parquet'],
  ['day=2026-11-20', '1.parquet'],
])('of %s with %s says that its manifest is missing, and opens the rest', async (name, path) => {
  const { opened, problem } = await dropped(folderOf(name, [path]), folderOf('others', ['a.json']))
  expect(opened).toEqual(['beside.json', 'a.json'])
  expect(problem).toContain(`${name} has files of a recording, but not its manifest.json`)
})
