/** Log files of the server of the version that ROOKERY_TEST_SERVER names, against the files on its disk. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import WebSocket from 'ws'
import { json } from '../../../tools/ravendb/client.mjs'
import { ticksFromMs } from '../../base/ticks.ts'
import type { ArchiveRecord } from '../../capture/archive/records.ts'
import { realEnv } from '../../ravendb/env.ts'
import { Governor } from '../../ravendb/governor/governor.ts'
import { offers } from '../../ravendb/versions.ts'
import { StoredLogTap } from './stored-logs.ts'

test('the lines of the log files of a server are those on its disk, and none before 7.1', async () => {
  const url = inject('serverUrl')
  const governor = new Governor({ ...realEnv(url), WebSocket: WebSocket as never })
  const tap = new StoredLogTap('info', 0)
  const zip = await governor.bytes('storedLogs', { from: tap.from })
  const records: ArchiveRecord[] = []
  const { hasLevels } = tap.take(await tap.read(zip), ticksFromMs(Date.now()), (record) => records.push(record))
  const isNew = offers(await governor.version(), [7, 1])
  governor.close()
  expect(hasLevels).toBe(isNew)
  const lines = records.flatMap((record) => (record.t === 'log' ? [record] : []))
  expect(lines.length > 0).toBe(isNew)
  if (!isNew) return
  const { Logs } = (await json(url, '/admin/logs/configuration')) as { readonly Logs: { readonly Path: string } }
  const text = readFileSync(join(Logs.Path, 'server.log'), 'utf8')
  const onDisk = Array.from(text.matchAll(/^(\S+ \S+)\|(INFO|WARN|ERROR|FATAL)\|/gm), ([, at = '', level = '']) => ({
    at,
    level: level.toLowerCase(),
  })).slice(0, lines.length)
  // Threads write lines a moment after their times, so that these are not quite in order.
  const levels = onDisk.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).map(({ level }) => level)
  expect(lines.map(({ level }) => level)).toEqual(levels)
  expect(lines.map(({ message }) => message).join('\n')).toContain('Initialized Server')
})
