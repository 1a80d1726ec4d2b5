import { beforeEach, describe, expect, it } from 'vitest'
import { Governor } from '../../ravendb/governor/governor.ts'
import { FakeRaven, json } from '../../testing/fake-raven.ts'
import type { ActionCall } from '../model.ts'
import { actionResponses } from '../worker/responses.ts'

let raven: FakeRaven
let governor: Governor
const FOLDER = '/data/Databases'
const BACKUP = '/b/2026-11-26-19-04-41.ravendb-shop-A-backup/2026-11-26-19-04-41.ravendb-full-backup'

beforeEach(() => {
  raven = new FakeRaven()
  raven.databases.set('shop', 'loaded')
  governor = new Governor(raven.env)
  governor.setViewOnly(false)
  const nameIn = (path: string): string => new URL(path, 'http://x').searchParams.get('name') ?? ''
  // As the server finds a name: whatever its case.
  raven.on(/^\/databases\?name=/, (path) =>
    nameIn(path).toLowerCase() === 'shop' ? json({ Databases: [{ Name: 'shop' }] }) : json(null, 404),
  )
  raven.on(/full-data-directory/, (path) => json({ FullPath: `${FOLDER}/${nameIn(path)}` }))
  raven.on(/folder-path-options/, () => json({ List: [`${FOLDER}/shop`, `${FOLDER}/left`] }))
  raven.on(/restore\/points/, () => json({ List: [{ FileName: BACKUP }] }))
})

const { responses } = actionResponses()
const { signal } = new AbortController()
const callOf = (action: string, inputs: ActionCall['inputs']): ActionCall => ({
  action,
  target: { kind: 'server', database: null, name: null },
  inputs,
  facts: {},
})
const restoreOf = (name: string, file = BACKUP): ActionCall => callOf('server.restore-database', { name, file })
const send = (call: ActionCall) => responses['actions.send']!({ call, requestId: 'the-id' }, governor, signal)
const refusal = (call: ActionCall) => responses['actions.refusal']!({ calls: [call] }, governor, signal)
const sent = (): string[] =>
  raven.calls.flatMap(({ path }) => (/restore\/database|admin\/databases/.test(path) ? [path] : []))

describe('a restore', () => {
  it.each(['shop', 'SHOP'])('over the existing name is not sent, nor a second time: %s', async (name) => {
    for (let attempt = 0; attempt < 2; attempt++)
      expect(await send(restoreOf(name))).toMatchObject({
        outcome: 'refused',
        error: { message: `Nothing was sent. “${name}” exists: the server would delete it. Choose another name.` },
      })
    expect(sent()).toEqual([])
    raven.version = '5.4.207'
    governor = new Governor(raven.env)
    governor.setViewOnly(false)
    expect(await refusal(restoreOf(name))).toContain('exists: the server refuses')
  })

  it('is not sent where it cannot be read whether the name exists', async () => {
    raven.routes.unshift({ match: /^\/databases\?name=/, response: () => new Error('cut') })
    expect(await send(restoreOf('other'))).toMatchObject({ outcome: 'refused' })
    expect(sent()).toEqual([])
  })

  it('of a folder, or of a file that there is not, is not sent: the server would restore what else is there', async () => {
    expect(await refusal(restoreOf('other', '/b'))).toContain('“/b” is no backup file')
    expect(await refusal(restoreOf('other', BACKUP.replace('full', 'snap')))).toContain('finds no backup file')
    raven.routes.unshift({
      match: /restore\/points/,
      response: () => json({ Type: 'X', Message: "Path '/c' doesn't exist" }, 500),
    })
    expect(await refusal(restoreOf('other', '/c/a.ravendb-snapshot'))).toBe(
      "No backup can be read in “/c”: Path '/c' doesn't exist",
    )
  })

  it('into a name that no database has is sent, however the path is written', async () => {
    expect(await refusal(restoreOf('other', BACKUP.replace('/b/', '/b//')))).toBeNull()
    await send(restoreOf('other'))
    expect(sent()).toHaveLength(1)
  })
})

describe('creating a database', () => {
  const createOf = (name: string, left?: string): ActionCall =>
    callOf('server.create-database', { name, ...(left === undefined ? {} : { left }) })

  it('is not sent for a name that exists, nor where files of that name are left, unless they are to be taken over', async () => {
    expect(await refusal(createOf('Shop'))).toBe('“Shop” exists already. Choose another name.')
    expect(await send(createOf('left'))).toMatchObject({
      outcome: 'refused',
      error: { message: expect.stringContaining(`Files of that name are left in ${FOLDER}/left`) as string },
    })
    expect(sent()).toEqual([])
    const [, over = ''] = /Choose “(.*?)”/.exec((await refusal(createOf('left'))) ?? '') ?? []
    expect(await refusal(createOf('left', over))).toBeNull()
    expect(await refusal(createOf('other'))).toBeNull()
  })

  it('looks for files beside other databases only: a name is no path', async () => {
    expect(await refusal(createOf('../Databases/left'))).toBeNull()
    expect(await refusal(createOf('..'))).toBeNull()
    expect(raven.calls.filter(({ path }) => path.includes('full-data-directory'))).toEqual([])
  })
})
