import { describe, expect, it } from 'vitest'
import { isReading } from '../base/http/reading.mjs'
import { Governor } from '../ravendb/governor/governor.ts'
import { prepared } from '../ravendb/http/write.ts'
import type { RavenError } from '../ravendb/errors/errors.ts'
import { FakeRaven } from '../testing/fake-raven.ts'
import { parseVersion } from '../ravendb/versions.ts'
import type { ActionCall } from './model.ts'
import { ACTIONS, actionById } from './table.ts'
import { curlOf, writeRequestOf } from './write-request.ts'

const VERSIONS = ['7.1.5', '6.2.4', '5.4.207'].map((FullVersion) => parseVersion({ FullVersion }))
const NASTY = `a/b?c#d&e 'f' ‮g`

function callOf(id: string, inputs: ActionCall['inputs'] = {}): ActionCall {
  const { target: kind = 'index', fields = [] } = actionById(id) ?? {}
  return {
    action: id,
    target: {
      kind,
      database: kind === 'server' ? null : NASTY,
      name: kind === 'server' || kind === 'database' ? null : kind === 'query' ? `7 ${NASTY}` : NASTY,
    },
    inputs: { ...inputs, ...Object.fromEntries(fields.map(({ name }) => [name, NASTY])) },
    facts: {},
  }
}

describe('the table of actions', () => {
  it('has each id once, with the target first', () => {
    expect(new Set(ACTIONS.map(({ id }) => id)).size).toBe(ACTIONS.length)
    expect(ACTIONS.filter(({ id, target }) => !id.startsWith(`${target}.`))).toEqual([])
  })

  it('measures the effect of each whose aim can be measured', () => {
    const without = ACTIONS.filter(({ measure, recorded }) => measure === undefined && recorded === undefined)
    expect(without.map(({ id }) => id)).toEqual([
      'index.discard-replacement',
      'index.lock',
      'index.save',
      'index.save-script',
      'database.lock',
      // A file, or a database that was not there before.
      'database.export',
      'document.save',
      'document.delete',
      'document.attach',
      'document.detach',
      'document.count',
      'document.uncount',
      'document.append',
      'document.delete-entries',
      'database.create-auto-index',
      'database.patch-by-query',
      'database.delete-by-query',
      'notification.postpone',
      'notification.dismiss',
      'server.create-database',
      'server.restore-database',
    ])
  })

  it.each(['database.create-auto-index', 'database.patch-by-query', 'database.delete-by-query'])(
    '%s sends the values of the query to the digit, as they were counted',
    async (id) => {
      const action = actionById(id)
      if (action === null) throw new Error(id)
      const call = callOf(id, { query: 'from Orders where N = $n', parameters: '{ "n": 9007199254740993 }' })
      for (const version of VERSIONS) {
        const request = writeRequestOf(action, call, version)
        const { body } = await prepared(new FakeRaven().env, request, new AbortController().signal)
        expect(await new Response(body).text()).toContain('9007199254740993')
        expect(curlOf(request, 'http://a')).toContain('9007199254740993')
      }
    },
  )

  const rows = ACTIONS.flatMap((action) =>
    (action.presets ?? [{ inputs: {} }]).flatMap(({ inputs }) =>
      VERSIONS.map(
        (version) =>
          [`${action.id} ${JSON.stringify(inputs)} ${version.fullVersion}`, action, inputs, version] as const,
      ),
    ),
  )

  it.each(rows)('%s sends a request that view-only mode refuses, with names encoded', (_, action, inputs, version) => {
    const request = writeRequestOf(action, callOf(action.id, inputs), version, 'the-id')
    expect(isReading(request.method, request.path)).toBe(false)
    expect(request.path).toMatch(/^\/[\w/%.?=&'()~*!-]+$/)
    const names = request.path + encodeURIComponent(JSON.stringify(request.body ?? ''))
    if (action.target !== 'server' || action.fields !== undefined)
      expect(names).toContain(encodeURIComponent(NASTY).replaceAll('%0A', ''))
  })

  it('leaves nothing to the network in view-only mode', async () => {
    const raven = new FakeRaven()
    raven.databases.set(NASTY, 'loaded')
    const governor = new Governor(raven.env)
    const refused = rows.map(([, action, inputs, version]) =>
      governor.write(writeRequestOf(action, callOf(action.id, inputs), version, 'the-id')).then(
        () => 'sent',
        (error: RavenError) => error.message,
      ),
    )
    // An action that is only for an unloaded database is refused for that first.
    const loaded = 'The database is loaded by now: nothing was sent.'
    expect(new Set(await Promise.all(refused))).toEqual(new Set(['View only: nothing was sent.', loaded]))
    expect(raven.calls.filter(({ path }) => !isReading('GET', path) || /reset|delete|set-/.test(path))).toEqual([])
  })

  it.each(rows)('%s says what it does, without figures that are not known', (_, action, inputs, version) => {
    const call = callOf(action.id, inputs)
    const words = `${action.consequence(call, version)} ${action.loss(call, version) ?? ''}`
    expect(words).not.toMatch(/undefined|null|NaN/)
    expect(words.trim()).toMatch(/\.$/)
  })

  it('names inverses that there are', () => {
    const inverses = ACTIONS.flatMap(
      (action) => action.inverse?.({ ...callOf(action.id), facts: { priority: 'Low', lock: 'Unlock' } })?.action ?? [],
    )
    expect(inverses.length).toBeGreaterThan(3)
    expect(inverses.filter((id) => actionById(id) === null)).toEqual([])
  })

  it('shows a request for a shell without the id of a click, and quoted', () => {
    const action = actionById('index.delete')
    if (action === null) throw new Error('there is none')
    const curl = curlOf(writeRequestOf(action, callOf('index.delete'), VERSIONS[0]!), 'https://db.example/')
    expect(curl).toContain('curl -X DELETE --cert CLIENT.pem ')
    expect(curl).not.toContain('raft-request-id')
    const body = actionById('index.priority')!
    expect(
      curlOf(writeRequestOf(body, { ...callOf('index.priority', { priority: 'Low' }) }, VERSIONS[0]!), 'http://db'),
    ).toContain(String.raw`'\''f'\''`)
    const save = actionById('document.save')!
    const saving = writeRequestOf(save, callOf('document.save', { expected: 'A:1-x' }), VERSIONS[0]!)
    expect(curlOf(saving, 'http://db', save)).toContain(`curl -X PUT -H 'If-Match: "A:1-x"' --data-binary @FILE '`)
  })
})
