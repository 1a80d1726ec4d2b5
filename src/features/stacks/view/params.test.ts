import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { law } from '../../../testing/law.ts'
import {
  DEFAULT_SETTINGS,
  formatSettings,
  formatThread,
  parseSettings,
  parseThread,
  type StacksSettings,
} from './params.ts'

const present = (settings: Partial<StacksSettings>): Record<string, string> =>
  Object.fromEntries(Object.entries(formatSettings(settings)).filter(([, value]) => value !== ''))

const line = fc.string({ minLength: 1 }).filter((text) => !text.includes('\n'))

describe('stacks settings', () => {
  it('leave the address as it is while they are the default', () => {
    expect(present(DEFAULT_SETTINGS)).toEqual({})
    expect(parseSettings({})).toEqual(DEFAULT_SETTINGS)
  })

  law(
    'go through a link and back',
    [
      fc.record({
        tab: fc.constantFrom('threads', 'flame', 'functions', 'time'),
        find: fc.record({ text: fc.string(), isRegex: fc.boolean() }),
        jobs: fc.array(line),
        waits: fc.subarray(['running', 'disk', 'lock', 'unknown'] as const),
        sort: fc.record({ id: fc.constantFrom('cpu', 'name', 'wait', 'depth'), descending: fc.boolean() }),
        isGrouped: fc.boolean(),
        openJobs: fc.array(line),
        live: fc.boolean(),
        weight: fc.constantFrom('samples', 'threads', 'cpu'),
        direction: fc.constantFrom('top-down', 'bottom-up', 'around'),
        focus: line,
        fold: fc.boolean(),
        zoom: fc.array(line),
        upwards: fc.boolean(),
        table: fc.boolean(),
        waiting: fc.boolean(),
        cpu: fc.constantFrom(null, true, false),
      }),
    ],
    (settings) => {
      const expected = { ...DEFAULT_SETTINGS, ...settings } as StacksSettings
      expect(parseSettings(present(expected))).toEqual(expected)
    },
  )

  it('take what makes no sense for the default', () => {
    expect(
      parseSettings({
        'stacks.tab': 'x',
        'stacks.of': '??',
        'stacks.sort': 'x-up',
        'stacks.waits': 'x,disk',
        'stacks.dir': 'around',
      }),
    ).toEqual({ ...DEFAULT_SETTINGS, waits: ['disk'] })
  })

  it('know a thread as a selection', () => {
    expect(parseThread(formatThread(3749))).toBe(3749)
    expect(parseThread('JournalWrite~1')).toBeNull()
    expect(parseThread(null)).toBeNull()
  })
})
