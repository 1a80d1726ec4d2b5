/** "Run more checks" on a real server. Needs ROOKERY_TEST_SERVER, such as `7.1.5`. */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { bulk, databasePath, deleteDatabase, json, put, putIndexes } from '../../../../tools/ravendb/client.mjs'
import { msFromTicks, type Ticks, ticksFromMs } from '../../../base/ticks.ts'
import type { ServerModel } from '../../../feeds/server/contract.ts'
import { withCheck } from '../../../features/triage/data/answered-work.ts'
import { CHECK_RULES } from '../../../features/triage/data/answer-rules.ts'
import { Checks } from '../../../features/triage/data/server-check.ts'
import { TRIAGE_RULES } from '../../../features/triage/data/triage-rules.ts'
import { realEnv } from '../../../ravendb/env.ts'
import { Governor } from '../../../ravendb/governor/governor.ts'
import { isLeftToNewest, LONG_MS, realServer, version } from '../../../testing/server/real-server.ts'
import { factsOfMoment } from '../package-facts.ts'

const NAME = 'checked'
const OFF = 'checked-off'

describe.runIf(version !== '' && !isLeftToNewest)(`a check on RavenDB ${version}`, { timeout: 120_000 }, () => {
  let url = ''
  let governor: Governor
  const { create, until } = realServer(() => url)

  beforeAll(async () => {
    url = inject('serverUrl')
    governor = new Governor({ ...realEnv(url), tabs: null })
    for (const name of [NAME, OFF]) await create(name)
    await json(url, '/admin/databases/disable', { method: 'POST', body: { DatabaseNames: [OFF] } })
  })

  afterAll(async () => {
    governor.close()
    for (const name of [NAME, OFF]) await deleteDatabase(url, name)
  })

  /** Findings of a check, where nothing is known of databases at work: rule, and what it is about. */
  async function check(): Promise<{ readonly found: readonly string[]; readonly unjudged: readonly string[] }> {
    const model = {
      version: 0,
      databases: { loaded: [NAME], totals: () => null },
      clock: { at: (ms: number): Ticks => ticksFromMs(ms) },
    } as unknown as ServerModel
    const checks = new Checks()
    let { failed, atTicks } = await checks.run(model, governor)
    // 5.4 fails with 500 while databases of other tests begin or end.
    for (let left = 10; version.startsWith('5.4') && failed.length > 0 && left > 0; left--)
      ({ failed, atTicks } = await checks.run(model, governor))
    expect(failed).toEqual([])
    const moment = { ...factsOfMoment(atTicks), work: [], nowMs: msFromTicks(atTicks) }
    const facts = withCheck(moment, checks.answersOf(model))
    const rules = [...TRIAGE_RULES.filter(({ rule }) => rule === 'index-trouble'), ...CHECK_RULES]
    const found = rules.flatMap((rule) =>
      rule.unknown(facts) === null ? rule.find(facts).map(({ about = '' }) => `${rule.rule} ${about}`) : [],
    )
    return { found, unjudged: rules.filter((rule) => rule.unknown(facts) !== null).map(({ rule }) => rule) }
  }

  it('has every response, finds indexes that are stopped at rest and a disabled database, and nothing of the server', async () => {
    await bulk(url, NAME, [put('things/1', 'Things', { N: 1 })])
    await putIndexes(url, NAME, [{ Name: 'Things/ByN', Maps: ['from t in docs.Things select new { t.N }'] }])
    const isStale = async (): Promise<boolean> => {
      const { Results } = (await json(url, `${databasePath(NAME)}/indexes/stats`)) as {
        Results: { IsStale: boolean }[]
      }
      return Results.some((index) => index.IsStale)
    }
    await until('indexed', async () => !(await isStale()), LONG_MS)
    const before = await check()
    // On a busy machine the server, which other tests use as well, does pause long to collect garbage.
    const ofOthers = before.found.filter((each) => !each.endsWith(NAME) && each.trim() !== 'gc-since-start')
    expect(ofOthers).toEqual([`database-disabled ${OFF}`])
    expect(before.unjudged).toEqual([])

    await json(url, `${databasePath(NAME)}/admin/indexes/stop?name=Things/ByN`, { method: 'POST' })
    expect((await check()).found).toContain(`index-off ${NAME}`)
    await bulk(url, NAME, [put('things/2', 'Things', { N: 2 })])
    await until('stale', isStale, LONG_MS)
    const { found } = await check()
    expect(found).toContain(`index-trouble db:${NAME}|stopped`)
    expect(found).not.toContain(`index-off ${NAME}`)
  })
})
