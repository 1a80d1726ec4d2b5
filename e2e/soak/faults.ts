import { setTimeout as sleep } from 'node:timers/promises'
import { databasePath, json, putIndexes } from '../../tools/ravendb/client.mjs'
import { AUDITED_INDEXES } from '../audit/load.ts'
import type { Fault, Step } from './plan.ts'
import type { Panel } from './tabs.ts'
import { DATABASE, KEPT_TABS, type World } from './world.ts'

const MOST_TABS = 5
const PANELS: readonly Panel[] = ['triage', 'io', 'server', 'databases']

type Play = (world: World, ms: number, variant: number) => Promise<void>

/** Players of the faults; each resolves when the fault itself is over. */
const PLAYS: Readonly<Record<Fault, Play>> = {
  stop: ({ raven, lateness }, ms) => lateness.whileStopped(() => raven.freeze(ms)),
  kill: async ({ raven, listener }, ms) => {
    await listener.catchUp()
    await raven.kill()
    await sleep(ms)
    await raven.restart()
  },
  terminate: async ({ raven, listener }, ms) => {
    await listener.catchUp()
    await raven.terminate()
    await sleep(ms)
    await raven.restart()
  },
  'refuse-503': (world, ms) => whileProxy(world, { is: 'refuse', status: 503 }, ms),
  'refuse-403': (world, ms) => whileProxy(world, { is: 'refuse', status: 403 }, ms),
  'black-hole': async (world, ms, variant) => {
    await whileProxy(world, { is: 'hold' }, ms)
    // A router that lost its tables resets what it no longer knows.
    if (variant < 0.5) world.proxy.resetAll()
  },
  cut: (world, ms) => whileProxy(world, { is: 'reset' }, ms),
  slow: (world, ms) => whileProxy(world, { is: 'slow', bytesPerSecond: 1024 }, ms),
  disable: async ({ raven, listener }, ms) => {
    const body = { DatabaseNames: [DATABASE] }
    await listener.catchUp()
    await json(raven.url, '/admin/databases/disable', { method: 'POST', body })
    await sleep(ms)
    await json(raven.url, '/admin/databases/enable', { method: 'POST', body })
  },
  'index-reset': async (world, _ms, variant) => {
    await world.listener.catchUp()
    await json(world.raven.url, indexPath(variant), { method: 'RESET' })
  },
  'index-deletion': async (world, ms, variant) => {
    await world.listener.catchUp()
    await json(world.raven.url, indexPath(variant), { method: 'DELETE' })
    await sleep(ms)
    await putIndexes(world.raven.url, DATABASE, AUDITED_INDEXES)
  },
  'tab-opened': async (world, _ms, variant) => {
    if (world.tabs.length < MOST_TABS) await world.openTab(PANELS[Math.floor(variant * PANELS.length)] ?? 'io')
  },
  'tab-hidden': async (world, ms, variant) => world.tabs[Math.floor(variant * world.tabs.length)]?.hide(ms),
  'tab-frozen': async (world, ms, variant) => world.tabs[Math.floor(variant * world.tabs.length)]?.freeze(ms),
  'tab-closed': async (world, _ms, variant) => {
    const others = world.tabs.slice(KEPT_TABS)
    const tab = others[Math.floor(variant * others.length)]
    if (tab !== undefined) await world.closeTab(tab)
  },
  'worker-killed': async (world, _ms, variant) => world.tabs[Math.floor(variant * KEPT_TABS)]?.killWorker(),
}

export const play = (world: World, { fault, seconds, variant }: Step): Promise<void> =>
  PLAYS[fault](world, seconds * 1000, variant)

async function whileProxy({ proxy }: World, mode: Parameters<typeof proxy.become>[0], ms: number): Promise<void> {
  proxy.become(mode)
  await sleep(ms)
  proxy.become({ is: 'pass' })
}

const indexPath = (variant: number): string => {
  const { Name: name = '' } = AUDITED_INDEXES[Math.floor(variant * AUDITED_INDEXES.length)] ?? {}
  return `${databasePath(DATABASE)}/indexes?name=${encodeURIComponent(name)}`
}
