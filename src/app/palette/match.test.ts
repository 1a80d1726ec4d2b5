import { describe, expect, it } from 'vitest'
import { matching, type PaletteItem } from './match.ts'

const item = (kind: PaletteItem['kind'], text: string): PaletteItem => ({
  id: `${kind} ${text}`,
  kind,
  text,
  refusal: null,
  run: () => undefined,
})

const ITEMS = [
  item('Panel', 'I/O'),
  item('Panel', 'Indexing'),
  item('Database', 'shop'),
  item('Index', 'Orders/ByCompany of shop'),
  item('Action', 'Pause indexing: “Orders/ByCompany” of “shop”'),
]
const found = (query: string, most = 10): readonly string[] => matching(ITEMS, query, most).map(({ kind }) => kind)

describe('the command palette', () => {
  it('shows places before anything is typed, and actions only then', () => {
    expect(found('')).toEqual(['Panel', 'Panel', 'Database', 'Index'])
    expect(found('pause')).toEqual(['Action'])
  })

  it('finds by words that are not shown, after what has them in its text', () => {
    const places = [
      { ...item('Panel', 'Server'), words: 'memory disk' },
      item('View', 'I/O › Disk'),
      item('Action', 'Sync the disk'),
      item('Database', 'disks'),
    ]
    expect(matching(places, 'disk', 10).map(({ text }) => text)).toEqual([
      'disks',
      'I/O › Disk',
      'Sync the disk',
      'Server',
    ])
    expect(matching(places, 'server memory', 10).map(({ text }) => text)).toEqual(['Server'])
  })

  it('puts what begins with all that is typed before what begins with the first word of it', () => {
    const actions = [item('Action', 'Create sample data: “later”'), item('Action', 'Create database')]
    expect(matching(actions, 'create  Data', 10).map(({ text }) => text)).toEqual([
      'Create database',
      'Create sample data: “later”',
    ])
  })

  it('finds by all words in any order, and puts what begins so first', () => {
    expect(found('SHOP')).toEqual(['Database', 'Index', 'Action'])
    expect(found('index')).toEqual(['Panel', 'Action'])
    expect(found('bycompany pause')).toEqual(['Action'])
    expect(found('nothing like it')).toEqual([])
    expect(found('', 2)).toHaveLength(2)
  })
})
