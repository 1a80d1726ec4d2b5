import { emptyModel, recordedModel } from '../../../testing/server/server-model.ts'
import { describe, expect, it } from 'vitest'
import { RavenError } from '../../../ravendb/errors/errors.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import type { TriageFacts } from './facts.ts'
import { nodePromotable } from './rules/answers/cluster.ts'
import { coresUnused } from './rules/answers/server.ts'
import { Checks } from './server-check.ts'

const NOW_MS = 1_777_000_000_000

function governorOf(answer: (key: string, database: string | undefined) => unknown) {
  const asked: string[] = []
  const json = (key: string, params: { readonly database?: string }): Promise<unknown> => {
    asked.push(params.database === undefined ? key : `${params.database} ${key}`)
    return Promise.resolve().then(() => answer(key, params.database))
  }
  return { governor: { json, env: { now: () => NOW_MS } } as unknown as Governor, asked }
}

describe('a check that the user began', () => {
  it('requests the server and loaded databases alone, and what failed is said', async () => {
    const model = recordedModel(NOW_MS)
    const { loaded } = model.databases
    expect(loaded.length).toBeGreaterThan(0)
    const { governor, asked } = governorOf((key, database) => {
      if (key === 'tombstones') throw new RavenError({ kind: 'refused', endpoint: '/x', status: 403 })
      if (key === 'transactions') return { 'tx-info': [] }
      if (key === 'databases')
        return {
          Databases: [
            { Name: 'off', Disabled: true, NodesTopology: { Members: [{ NodeTag: 'A' }], Rehabs: [{ NodeTag: 'B' }] } },
          ],
        }
      return key === 'ongoingTasks' ? { OngoingTasks: [] } : { Results: [], database }
    })
    const checks = new Checks()
    expect(checks.answersOf(model)).toBeNull()
    const check = await checks.run(model, governor)
    expect(new Set(asked.flatMap((each) => each.split(' ').slice(0, -1)))).toEqual(new Set(loaded))
    expect(check).toMatchObject({ databases: loaded.length, responses: asked.length - loaded.length })
    expect(check.failed.map(({ entry }) => entry)).toEqual(
      loaded.map((name) => `${name}: /databases/{database}/admin/tombstones/state`),
    )
    const answers = checks.answersOf(model)
    expect(answers?.own.transactions).toMatchObject({ kind: 'answered', value: [] })
    expect(answers?.own.build).toEqual({ kind: 'absent' })
    // Rules about nodes are judged live as in a package.
    for (const rule of [nodePromotable, coresUnused]) expect(rule.unknown({ answers } as TriageFacts)).toBeNull()
    expect(answers?.databases[0]?.answers).toMatchObject({
      tombstones: { kind: 'failed' },
      tasks: { kind: 'answered' },
    })
    // The list shows what is disabled, and nodes that catch up: a database that is not loaded is not requested.
    expect(answers?.databases.at(-1)).toMatchObject({
      name: 'off',
      answers: { record: { value: { isDisabled: true, members: ['A'], rehabs: ['B'] } }, counts: { kind: 'absent' } },
    })
    expect(checks.answersOf(emptyModel())).toBeNull()
  })
})
