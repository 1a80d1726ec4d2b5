import {
  paramsOfPanel,
  toLinkParams,
  type LinkParams,
  type ParamsToWrite,
  type ViewParams,
} from '../../../capture/client/panels.ts'
import type { JobKey } from '../contract/ids.ts'
import { WAIT_KINDS, type WaitKind } from '../contract/jobs.ts'
import type { FlameDirection, StacksLinkParams, StacksTab } from '../contract/link-params.ts'
import type { Weight } from '../contract/samples.ts'
import type { TextMatch } from '../contract/search.ts'
import type { ThreadSort } from '../contract/threads.ts'
import { formatChoice, parseChoice, type SnapshotChoice } from './choice.ts'

const TABS: readonly StacksTab[] = ['threads', 'flame', 'functions', 'time']

const WEIGHTS: readonly Weight[] = ['samples', 'threads', 'cpu']
const DIRECTIONS: readonly FlameDirection[] = ['top-down', 'bottom-up', 'around']

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
export function formatSettings(parts: Partial<StacksSettings>): LinkParams {
  const params: ParamsToWrite<'stacks'> = {}
  const put = <Name extends keyof StacksLinkParams, Key extends keyof StacksSettings>(
    name: Name,
    key: Key,
    format: (value: StacksSettings[Key]) => StacksLinkParams[Name] | '',
  ): void => {
    const value = parts[key]
    if (value === undefined) return
    const text = format(value)
    params[name] = text === format(DEFAULT_SETTINGS[key]) ? '' : text
  }
  const flag = (value: boolean): 'on' | 'off' => (value ? 'on' : 'off')
  put('tab', 'tab', (tab) => tab)
  put('of', 'of', formatChoice)
  put('vs', 'against', (choice) => (choice === null ? '' : formatChoice(choice)))
  if (parts.find !== undefined) {
    params.find = parts.find.text
    params.regex = parts.find.isRegex ? 'on' : ''
  }
  put('jobs', 'jobs', formatLines)
  put('waits', 'waits', (waits) => waits.join(','))
  if (parts.sort !== undefined)
    params.sort =
      parts.sort === 'cpu' && parts.descending !== false
        ? ''
        : `${parts.sort}-${parts.descending === false ? 'up' : 'down'}`
  put('group', 'isGrouped', flag)
  put('open', 'openJobs', formatLines)
  put('live', 'live', flag)
  put('weight', 'weight', (weight) => weight)
  put('dir', 'direction', (direction) => direction)
  put('focus', 'focus', String)
  put('fold', 'fold', flag)
  put('zoom', 'zoom', formatLines)
  put('up', 'upwards', flag)
  put('table', 'table', flag)
  put('waiting', 'waiting', flag)
  put('cpu', 'cpu', (shown) => (shown === null ? '' : flag(shown)))
  return toLinkParams('stacks', params)
}

/** Parameters → settings; what is missing or not understood is the default. */
export function parseSettings(params: ViewParams): StacksSettings {
  const own = paramsOfPanel('stacks', params)
  const flag = (text: string | undefined, otherwise: boolean): boolean =>
    text === undefined ? otherwise : text === 'on'
  const [column, way] = (own.sort ?? '').split('-')
  const sort = SORTS.find((known) => known === column)
  const focus = own.focus ?? ''
  const direction = oneOf(DIRECTIONS, own.dir, 'top-down')
  return {
    tab: oneOf(TABS, own.tab, 'threads'),
    of: parseChoice(own.of) ?? DEFAULT_SETTINGS.of,
    against: parseChoice(own.vs),
    find: { text: own.find ?? '', isRegex: own.regex === 'on' },
    jobs: parseLines(own.jobs),
    waits: (own.waits ?? '').split(',').flatMap((text) => WAIT_KINDS.find((kind) => kind === text) ?? []),
    sort: sort ?? 'cpu',
    descending: sort === undefined || way !== 'up',
    isGrouped: flag(own.group, true),
    openJobs: parseLines(own.open),
    live: flag(own.live, true),
    weight: oneOf(WEIGHTS, own.weight, 'threads'),
    // Without a function there is nothing to go around.
    direction: direction === 'around' && focus === '' ? 'top-down' : direction,
    focus,
    fold: flag(own.fold, true),
    zoom: parseLines(own.zoom),
    upwards: flag(own.up, false),
    table: flag(own.table, false),
    waiting: flag(own.waiting, false),
    cpu: own.cpu === undefined ? null : flag(own.cpu, true),
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
