import { formatDuration } from '../../../base/text/format.ts'
import { listNames } from '../../../base/text/list-names.ts'
import { type Ticks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import type { GapReason } from '../../../capture/client/state.ts'
import type { Happening, ServerActivity } from '../contract/activity.ts'
import { around, toDatabase, toServer } from './rules/helpers.ts'
import { lowMemorySpells } from '../../../ravendb/machine/low-memory-spells.ts'
import { lowMemory as lowMemoryRule } from './rules/memory.ts'
import { clockJump, restartSeen, serverReplaced, serverUnresponsive, serverWasUnresponsive } from './rules/server.ts'
import type {
  DatabaseChange,
  DatabasesStore,
  LoggedFinding,
  LowMemoryEvent,
  SeenSpan,
  ServerModel,
} from '../../../feeds/server/contract.ts'

const MOST_BUSY = 5
const MOST_HAPPENED = 50
const LATELY_TICKS = 24 * 3600 * TICKS_PER_SECOND
/** Time within which consecutive changes of one kind are reported together. */
const TOGETHER_TICKS = 300 * TICKS_PER_SECOND
/** Maximum length of a break in monitoring that is ignored. */
const BREAK_TICKS = 60 * TICKS_PER_SECOND
const MOST_NAMES = 2

/**
 * Returns present work and recent events of the server. Pure. `nowTicks` null: the server has not reported its time
 * yet.
 */
export function activityOf(model: ServerModel, nowTicks: Ticks | null, slowedToMs: number | null): ServerActivity {
  const busiest = model.databases.busiest(MOST_BUSY)
  return {
    busiest: busiest?.rows ?? null,
    moreBusy: busiest?.more ?? 0,
    slowedToMs,
    happened: nowTicks === null ? [] : happenedTo(model, nowTicks),
    watchedSinceTicks: watchedSince(model.coverage.spans),
  }
}

/**
 * Rules whose events are reported here at their own time. As findings they last longer, so that they are not
 * overlooked.
 */
const REPORTED_OTHERWISE: ReadonlySet<string> = new Set([restartSeen.rule, serverWasUnresponsive.rule])

/** Rules whose events have no duration, but whose findings last for an hour. */
const MOMENTS: ReadonlySet<string> = new Set([clockJump.rule, serverReplaced.rule])

function happenedTo(model: ServerModel, nowTicks: Ticks): Happening[] {
  const sinceTicks = nowTicks - LATELY_TICKS
  const silent = silences(model, sinceTicks as Ticks, nowTicks)
  return [
    ...joined(findings(model, silent)),
    ...starts(model),
    ...silent,
    ...lowSpells(model.lowMemory?.events ?? [], nowTicks),
    ...databaseChanges(model.databases, sinceTicks),
  ]
    .filter(({ endTicks }) => endTicks >= sinceTicks)
    .toSorted((a, b) => b.endTicks - a.endTicks)
    .slice(0, MOST_HAPPENED)
}

/** Ended findings. Low memory comes from the server's own log instead, if that is readable. */
const findings = ({ findings: log, lowMemory }: ServerModel, silent: readonly Happening[]): Happening[] =>
  log.logged
    .filter(({ isOver, rule }) => isOver && !REPORTED_OTHERWISE.has(rule))
    .filter(({ rule }) => lowMemory === null || rule !== lowMemoryRule.rule)
    .filter((found) => found.rule !== serverUnresponsive.rule || !silent.some((one) => overlaps(one, found)))
    .map(
      ({ id, rule, level, title, link, startTicks, lastTicks, held, goneTicks, startIsBound, times, firstTicks }) => ({
        id,
        level,
        startTicks,
        endTicks: MOMENTS.has(rule) ? startTicks : (Math.max(startTicks, held?.ticks ?? lastTicks) as Ticks),
        endsByTicks: held?.isEnd === false ? goneTicks : undefined,
        startIsBound,
        times,
        firstTicks,
        text: title,
        link,
      }),
    )

/**
 * Merges equal events that overlap in time, such as seven slow queries: listed one by one they would displace all
 * others.
 */
function joined(happened: readonly Happening[]): Happening[] {
  const kept: Happening[] = []
  for (const one of happened.toSorted((a, b) => b.endTicks - a.endTicks)) {
    const at = kept.findIndex(({ text, startTicks }) => text === one.text && startTicks <= one.endTicks)
    const same = kept[at]
    if (same === undefined) kept.push(one)
    else
      kept[at] = {
        ...same,
        startTicks: Math.min(same.startTicks, one.startTicks) as Ticks,
        startIsBound: same.startTicks <= one.startTicks ? same.startIsBound : one.startIsBound,
        times: same.times + one.times,
        firstTicks: Math.min(same.firstTicks, one.firstTicks) as Ticks,
      }
  }
  return kept
}

const overlaps = (one: Happening, { startTicks, lastTicks }: LoggedFinding): boolean =>
  one.startTicks <= lastTicks && startTicks <= one.endTicks

const moment = (
  id: string,
  atTicks: Ticks,
  text: string,
  link: Happening['link'],
  parts: Partial<Happening> = {},
): Happening => ({
  id,
  level: null,
  startTicks: atTicks,
  endTicks: atTicks,
  startIsBound: false,
  times: 1,
  firstTicks: atTicks,
  text,
  link,
  ...parts,
})

const starts = ({ restarts }: ServerModel): Happening[] =>
  restarts.map(({ startTicks, seen }) =>
    moment(
      `start ${startTicks}`,
      startTicks,
      seen ? 'The server was restarted.' : 'The server started.',
      toServer('machine', around(startTicks), 'Starts of the server'),
    ),
  )

const SILENCES: { readonly [Reason in GapReason]?: Pick<Happening, 'level' | 'text'> } = {
  'server-stopped': { level: 'critical', text: 'The server could not be reached.' },
  'server-unresponsive': { level: 'warning', text: 'The server was unresponsive.' },
}

const silences = ({ coverage }: ServerModel, startTicks: Ticks, endTicks: Ticks): Happening[] =>
  coverage.gaps({ startTicks, endTicks }).flatMap(({ reason, startTicks: fromTicks, endTicks: toTicks }) => {
    const words = SILENCES[reason]
    if (words === undefined) return []
    const { level, text } = words
    const link = toServer('machine', around(fromTicks), 'Gaps')
    return [moment(`silence ${fromTicks}`, fromTicks, text, link, { level, endTicks: toTicks })]
  })

/** Times of low memory that are over. `events`: newest first. */
const lowSpells = (events: readonly LowMemoryEvent[], nowTicks: Ticks): Happening[] =>
  lowMemorySpells(events.filter(({ atTicks }) => atTicks <= nowTicks)).over.map(({ startTicks, endTicks }) => {
    const link = toServer('machine', around(startTicks), 'Low-memory events')
    const parts = { level: 'warning', endTicks } as const
    return moment(`memory ${startTicks}`, startTicks, 'The server was low on memory.', link, parts)
  })

function databaseChanges(databases: DatabasesStore, sinceTicks: number): Happening[] {
  const groups: { change: DatabaseChange; names: Set<string>; startTicks: Ticks; endTicks: Ticks }[] = []
  const open = new Map<DatabaseChange, (typeof groups)[number]>()
  for (const { name, atTicks, change } of databases.changesSince(sinceTicks)) {
    const group = open.get(change)
    if (group !== undefined && group.startTicks - atTicks <= TOGETHER_TICKS) {
      group.names.add(name)
      group.startTicks = atTicks
      continue
    }
    const begun = { change, names: new Set([name]), startTicks: atTicks, endTicks: atTicks }
    open.set(change, begun)
    groups.push(begun)
  }
  return groups.map(({ change, names, startTicks, endTicks }) => {
    const list = [...names]
    const who = listNames(list, MOST_NAMES)
    const link = list.length === 1 && change !== 'deleted' ? toDatabase(list[0] ?? '') : ALL_DATABASES
    const overTicks = endTicks - startTicks
    const within = overTicks < 60 * TICKS_PER_SECOND ? '' : ` within ${formatDuration(wholeMinutes(overTicks))}`
    const text = `${who} ${list.length === 1 ? 'was' : 'were'} ${change}${within}.`
    return moment(`${change} ${endTicks}`, endTicks, text, link)
  })
}

const wholeMinutes = (ticks: number): number => Math.ceil(ticks / (60 * TICKS_PER_SECOND)) * 60 * TICKS_PER_SECOND

const ALL_DATABASES = { panel: 'databases', params: {}, sources: [], range: null } as const

function watchedSince(spans: readonly SeenSpan[]): Ticks | null {
  let since: Ticks | null = null
  for (const { startTicks, endTicks } of spans.toReversed()) {
    if (since !== null && since - endTicks > BREAK_TICKS) break
    since = startTicks
  }
  return since
}
