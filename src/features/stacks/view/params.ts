import type { JobKey } from '../contract/ids.ts'
import { WAIT_KINDS, type WaitKind } from '../contract/jobs.ts'
import type { Weight } from '../contract/samples.ts'
import type { TextMatch } from '../contract/search.ts'
import type { ThreadSort } from '../contract/threads.ts'
import { formatChoice, parseChoice, type SnapshotChoice } from './choice.ts'

const TABS = ['threads', 'flame', 'functions', 'time'] as const
export type StacksTab = (typeof TABS)[number]

const WEIGHTS: readonly Weight[] = ['samples', 'threads', 'cpu']
/** `around`: the callers of one function above, what it calls below. */
const DIRECTIONS = ['top-down', 'bottom-up', 'around'] as const
export type FlameDirection = (typeof DIRECTIONS)[number]

const SORTS: readonly ThreadSort[] = [
  'cpu',
  'cpuSince',
  'totalCpu',
  'userCpu',
  'kernelCpu',
  'name',
  'job',
  'id',
  'state',
  'priority',
  'age',
  'allocated',
  'read',
  'write',
  'wait',
  'depth',
]

/** What the panel keeps in the URL beside the shared view. */
export interface StacksSettings {
  readonly tab: StacksTab
  /** Which snapshots are looked at, and which they are compared with (null: with none). */
  readonly of: SnapshotChoice
  readonly against: SnapshotChoice | null
  /** Threads and frames that contain this. */
  readonly find: TextMatch
  /** Empty: all. */
  readonly jobs: readonly JobKey[]
  readonly waits: readonly WaitKind[]
  readonly sort: ThreadSort
  readonly descending: boolean
  readonly isGrouped: boolean
  /** Groups that are open, in the grouped table. */
  readonly openJobs: readonly JobKey[]
  readonly live: boolean
  readonly weight: Weight
  readonly direction: FlameDirection
  /** Full text of the function that `around` is about; '': none. */
  readonly focus: string
  readonly fold: boolean
  /** Full texts from the root down to what fills the width; empty: the whole. */
  readonly zoom: readonly string[]
  /** Roots at the bottom. */
  readonly upwards: boolean
  /** The table twin of the picture. */
  readonly table: boolean
  /** The flame graph shows threads as well that wait for work or a timer. */
  readonly waiting: boolean
  /** CPU over time and its range; null: shown until there is a snapshot, whose stacks then get the room. */
  readonly cpu: boolean | null
}

export const DEFAULT_SETTINGS: StacksSettings = {
  tab: 'threads',
  of: { type: 'latest' },
  against: null,
  find: { text: '', isRegex: false },
  jobs: [],
  waits: [],
  sort: 'cpu',
  descending: true,
  isGrouped: true,
  openJobs: [],
  live: true,
  weight: 'threads',
  direction: 'top-down',
  focus: '',
  fold: true,
  zoom: [],
  upwards: false,
  table: false,
  waiting: false,
  cpu: null,
}

/** Texts in one parameter, by line breaks: frames hold every other sign. */
const formatLines = (lines: readonly string[]): string => lines.map((line) => line.replaceAll('\n', ' ')).join('\n')
const parseLines = (text: string | undefined): readonly string[] =>
  text === undefined || text === '' ? [] : text.split('\n')

const oneOf = <T extends string>(all: readonly T[], text: string | undefined, otherwise: T): T =>
  all.find((each) => each === text) ?? otherwise

/** Parts of the settings → parameters; an empty string removes one (it is the default). */
export function formatSettings(parts: Partial<StacksSettings>): Record<string, string> {
  const params: Record<string, string> = {}
  const put = <Key extends keyof StacksSettings>(
    name: string,
    key: Key,
    format: (value: StacksSettings[Key]) => string,
  ): void => {
    const value = parts[key]
    if (value === undefined) return
    const text = format(value)
    params[`stacks.${name}`] = text === format(DEFAULT_SETTINGS[key]) ? '' : text
  }
  const flag = (value: boolean): string => (value ? 'on' : 'off')
  put('tab', 'tab', String)
  put('of', 'of', formatChoice)
  put('vs', 'against', (choice) => (choice === null ? '' : formatChoice(choice)))
  if (parts.find !== undefined) {
    params['stacks.find'] = parts.find.text
    params['stacks.regex'] = parts.find.isRegex ? 'on' : ''
  }
  put('jobs', 'jobs', formatLines)
  put('waits', 'waits', (waits) => waits.join(','))
  if (parts.sort !== undefined)
    params['stacks.sort'] =
      parts.sort === 'cpu' && parts.descending !== false
        ? ''
        : `${parts.sort}-${parts.descending === false ? 'up' : 'down'}`
  put('group', 'isGrouped', flag)
  put('open', 'openJobs', formatLines)
  put('live', 'live', flag)
  put('weight', 'weight', String)
  put('dir', 'direction', String)
  put('focus', 'focus', String)
  put('fold', 'fold', flag)
  put('zoom', 'zoom', formatLines)
  put('up', 'upwards', flag)
  put('table', 'table', flag)
  put('waiting', 'waiting', flag)
  put('cpu', 'cpu', (shown) => (shown === null ? '' : flag(shown)))
  return params
}

/** Parameters → settings; what is missing or not understood is the default. */
export function parseSettings(params: Readonly<Record<string, string>>): StacksSettings {
  const get = (name: string): string | undefined => params[`stacks.${name}`]
  const flag = (name: string, otherwise: boolean): boolean => (get(name) === undefined ? otherwise : get(name) === 'on')
  const [column, way] = (get('sort') ?? '').split('-')
  const sort = SORTS.find((known) => known === column)
  const focus = get('focus') ?? ''
  const direction = oneOf(DIRECTIONS, get('dir'), 'top-down')
  return {
    tab: oneOf(TABS, get('tab'), 'threads'),
    of: parseChoice(get('of')) ?? DEFAULT_SETTINGS.of,
    against: parseChoice(get('vs')),
    find: { text: get('find') ?? '', isRegex: get('regex') === 'on' },
    jobs: parseLines(get('jobs')),
    waits: (get('waits') ?? '').split(',').flatMap((text) => WAIT_KINDS.find((kind) => kind === text) ?? []),
    sort: sort ?? 'cpu',
    descending: sort === undefined || way !== 'up',
    isGrouped: flag('group', true),
    openJobs: parseLines(get('open')),
    live: flag('live', true),
    weight: oneOf(WEIGHTS, get('weight'), 'threads'),
    // Without a function there is nothing to go around.
    direction: direction === 'around' && focus === '' ? 'top-down' : direction,
    focus,
    fold: flag('fold', true),
    zoom: parseLines(get('zoom')),
    upwards: flag('up', false),
    table: flag('table', false),
    waiting: flag('waiting', false),
    cpu: get('cpu') === undefined ? null : flag('cpu', true),
  }
}

/** A thread as the shared selection has it. */
export const formatThread = (threadId: number): string => `thread:${threadId}`

/** Null: something else is selected, or nothing. */
export function parseThread(selection: string | null): number | null {
  const digits = /^thread:(\d{1,10})$/.exec(selection ?? '')?.[1]
  return digits === undefined ? null : Number(digits)
}

/** A copy with `item` put in, or taken out where it is in. */
export const toggled = <T>(items: readonly T[], item: T): readonly T[] =>
  items.includes(item) ? items.filter((each) => each !== item) : [...items, item]
