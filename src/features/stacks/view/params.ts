import {
  choice,
  panelSettings,
  setting,
  sorting,
  switchedOff,
  switchedOn,
  text,
  type SettingsOf,
} from '../../../capture/client/panel-settings.ts'
import type { ParamsToRead } from '../../../capture/client/panels.ts'
import { WAIT_KINDS, type WaitKind } from '../../../feeds/stacks/contract/jobs.ts'
import type { FlameDirection } from '../contract.ts'
import type { Weight } from '../../../feeds/stacks/contract/samples.ts'
import type { TextMatch } from '../../../feeds/stacks/contract/search.ts'
import type { ThreadSort } from '../../../feeds/stacks/contract/threads.ts'
import { formatChoice, parseChoice, type SnapshotChoice } from './choice.ts'

const SORTS: readonly [ThreadSort, ...ThreadSort[]] = [
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

/** Joins texts by line breaks, since frames may contain any other character. */
const formatLines = (lines: readonly string[]): string => lines.map((line) => line.replaceAll('\n', ' ')).join('\n')
const parseLines = (text = ''): readonly string[] => (text === '' ? [] : text.split('\n'))

/** Settings of the panel in the URL beside the shared view. */
const SETTINGS = {
  tab: choice('tab', 'threads', ['flame', 'functions', 'time']),
  /** Snapshots in view, and those they are compared with (null: none). */
  of: setting(
    'of',
    (text): SnapshotChoice => parseChoice(text) ?? { type: 'latest' },
    (of) => (of.type === 'latest' ? '' : formatChoice(of)),
  ),
  against: setting('vs', parseChoice, (against) => (against === null ? '' : formatChoice(against))),
  /** Text that listed threads and frames contain. */
  find: {
    read: ({ find = '', regex }: ParamsToRead<'stacks'>): TextMatch => ({ text: find, isRegex: regex === 'on' }),
    write: ({ text, isRegex }: TextMatch) => ({ find: text, regex: isRegex ? ('on' as const) : ('' as const) }),
  },
  /** Jobs of the filter; empty for all. */
  jobs: setting('jobs', parseLines, formatLines),
  waits: setting('waits', parseWaits, (waits) => waits.join(',')),
  sort: sorting('sort', SORTS),
  isGrouped: switchedOff('group'),
  /** Open groups of the grouped table. */
  openJobs: setting('open', parseLines, formatLines),
  live: switchedOff('live'),
  weight: choice<'weight', Weight, Weight>('weight', 'threads', ['samples', 'cpu']),
  direction: {
    read({ dir, focus = '' }: ParamsToRead<'stacks'>): FlameDirection {
      // Without a function this direction is not possible.
      if (dir === 'around' && focus !== '') return 'around'
      return dir === 'bottom-up' ? 'bottom-up' : 'top-down'
    },
    write: (direction: FlameDirection) => ({ dir: direction === 'top-down' ? ('' as const) : direction }),
  },
  /** Full text of the function for `around`; empty: none. */
  focus: text('focus'),
  fold: switchedOff('fold'),
  /** Full texts from the root to the frame that fills the width; empty: the whole graph. */
  zoom: setting('zoom', parseLines, formatLines),
  /** Whether roots are at the bottom. */
  upwards: switchedOn('up'),
  /** Whether the table replaces the graph. */
  table: switchedOn('table'),
  /** Whether the flame graph includes threads that wait for work or a timer. */
  waiting: switchedOn('waiting'),
  /** Whether CPU over time is open; null: until there is a snapshot, whose stacks then need the space. */
  cpu: setting(
    'cpu',
    (text) => (text === undefined ? null : text === 'on'),
    (shown) => (shown === null ? '' : shown ? 'on' : 'off'),
  ),
}

export type StacksSettings = SettingsOf<typeof SETTINGS>
export const { parse: parseSettings, format: formatSettings } = panelSettings('stacks', SETTINGS)
export const DEFAULT_SETTINGS = parseSettings({})

function parseWaits(text = ''): readonly WaitKind[] {
  return text.split(',').flatMap((each) => WAIT_KINDS.find((kind) => kind === each) ?? [])
}

/** A thread as the shared selection has it. */
export const formatThread = (threadId: number): string => `thread:${threadId}`

/** Id of the selected thread; null: no thread is selected. */
export function parseThread(selection: string | null): number | null {
  const digits = /^thread:(\d{1,10})$/.exec(selection ?? '')?.[1]
  return digits === undefined ? null : Number(digits)
}

/** A copy with `item` added or removed. */
export const toggled = <T>(items: readonly T[], item: T): readonly T[] =>
  items.includes(item) ? items.filter((each) => each !== item) : [...items, item]
