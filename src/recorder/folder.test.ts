import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ticksFromMs } from '../base/ticks.ts'
import type { ArchiveFile } from '../capture/archive/manifest.ts'
import { DiskFull, Folder } from './folder.ts'

const DAY_MS = 86_400_000
const NOW_MS = Date.UTC(2026, 10, 26)
const NODE = { name: 'a_8080', url: 'http://a:8080', journal: 1 }

let path = ''
beforeEach(() => (path = mkdtempSync(join(tmpdir(), 'archive-'))))
afterEach(() => rmSync(path, { recursive: true, force: true }))

/** File of the day so many days ago. */
const file = (daysAgo: number, bytes: number): ArchiveFile => {
  const minTicks = ticksFromMs(NOW_MS - daysAgo * DAY_MS)
  const day = new Date(NOW_MS - daysAgo * DAY_MS).toISOString().slice(0, 10)
  const place = `io/node=a_8080/day=${day}/000000-1.parquet`
  return { path: place, table: 'io', node: 'a_8080', day, rows: 1, bytes, minTicks, maxTicks: minTicks + 10 }
}

async function filled(files: readonly ArchiveFile[]): Promise<Folder> {
  const folder = await Folder.open(path)
  for (const { path: at, bytes } of files) folder.write(at, new Uint8Array(bytes))
  folder.commit(NODE, files)
  return folder
}

/** Mounts a file system of a megabyte; false: this user may mount none. */
function mountedTiny(at: string): boolean {
  mkdirSync(at, { recursive: true })
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', at], { stdio: 'ignore' }).status === 0
}

describe('the folder of an archive', () => {
  test('on a disk that is full ends the recording in words, and keeps what was committed', async (context) => {
    const tiny = join(path, 'tiny')
    if (!mountedTiny(tiny)) return context.skip()
    try {
      const at = join(tiny, 'archive')
      const folder = await Folder.open(at)
      const files = [file(1, 100)]
      folder.write(files[0]?.path ?? '', new Uint8Array(100))
      folder.commit(NODE, files)
      expect(() => writeFileSync(join(tiny, 'other'), new Uint8Array(2 << 20))).toThrow('ENOSPC')
      expect(() => folder.checkFree()).toThrow(/disk of .* leaves the last .* to others/)
      expect(() => folder.write('io/node=a_8080/day=2026-11-26/1.parquet', new Uint8Array(8192))).toThrow(DiskFull)
      expect(() => folder.commit(NODE, [...files, file(2, 1)])).toThrow(DiskFull)
      rmSync(join(tiny, 'other'))
      const again = await Folder.open(at)
      expect(again.manifest.files).toEqual(files)
      expect(() => again.checkFree()).not.toThrow()
    } finally {
      spawnSync('umount', [tiny])
    }
  })

  test('has what was committed when it is opened again, and no file besides', async () => {
    const files = [file(2, 10), file(1, 20)]
    await filled(files)
    const left = [
      'io/node=a_8080/day=2026-11-26/010000-2.parquet',
      'io/node=a_8080/day=2026-11-26/020000-2.parquet.tmp',
      'manifest.json.tmp',
      'journal/a_8080.0.journal',
    ]
    const others = ['notes.txt', 'draft.tmp', 'work/half.parquet.tmp']
    for (const name of [...left, 'journal/a_8080.1.journal', ...others]) {
      mkdirSync(dirname(join(path, name)), { recursive: true })
      writeFileSync(join(path, name), 'x')
    }
    const again = await Folder.open(path)
    expect(again.manifest.files.map(({ path: at }) => at)).toEqual(files.map(({ path: at }) => at))
    expect(left.filter((name) => existsSync(join(path, name)))).toEqual([])
    expect(others.filter((name) => !existsSync(join(path, name)))).toEqual([])
    expect(await again.journals('a_8080')).toEqual([1])
  })

  test('keeps files that no crash of its recorder left, and is refused without its list of files', async () => {
    await filled([file(1, 20)])
    const other = 'io/node=b_8080/day=2026-11-26/010000-2.parquet'
    mkdirSync(dirname(join(path, other)), { recursive: true })
    writeFileSync(join(path, other), 'x')
    await Folder.open(path)
    expect(existsSync(join(path, other))).toBe(true)
    rmSync(join(path, 'manifest.json'))
    await expect(Folder.open(path)).rejects.toThrow('has files of a recording, but no manifest.json')
    expect(existsSync(join(path, file(1, 20).path))).toBe(true)
    writeFileSync(join(path, 'manifest.json'), '{"format":"rookery-arc')
    await expect(Folder.open(path)).rejects.toThrow('manifest.json is cut or damaged')
  })

  test('of something else is refused', async () => {
    writeFileSync(join(path, 'manifest.json'), '{"name":"an app"}')
    await expect(Folder.open(path)).rejects.toThrow('is not that of an archive')
    writeFileSync(join(path, 'manifest.json'), '{"format":"rookery-archive","version":2,"nodes":[],"files":[]}')
    await expect(Folder.open(path)).rejects.toThrow('use a newer one')
  })
})
