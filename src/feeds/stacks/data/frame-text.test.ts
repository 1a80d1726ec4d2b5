import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { law } from '../../../testing/law.ts'
import { categoryOf, shortNames, splitFrame } from './frame-text.ts'

describe('a frame taken apart', () => {
  test.each([
    [
      'Voron!Voron.Data.BTrees.Tree.DirectRead(value class Voron.Slice)',
      ['Voron', 'Voron.Data.BTrees.Tree', 'DirectRead', '(value class Voron.Slice)'],
      'Tree.DirectRead',
      'storage',
    ],
    [
      'Raven.Server!Raven.Server.Documents.TransactionMerger.AbstractTransactionOperationsMerger`2[System.__Canon,System.__Canon].<Start>b__28_0(class System.Object)',
      [
        'Raven.Server',
        'Raven.Server.Documents.TransactionMerger.AbstractTransactionOperationsMerger`2[System.__Canon,System.__Canon]',
        '<Start>b__28_0',
        '(class System.Object)',
      ],
      'AbstractTransactionOperationsMerger.Start',
      'server',
    ],
    [
      'Raven.Server!Raven.Server.Documents.Handlers.Debugging.ThreadsHandler+<StackTrace>d__0.MoveNext()',
      ['Raven.Server', 'Raven.Server.Documents.Handlers.Debugging.ThreadsHandler+<StackTrace>d__0', 'MoveNext', '()'],
      'ThreadsHandler.StackTrace',
      'server',
    ],
    [
      'Raven.Server!Raven.Server.ServerWide.Maintenance.ClusterObserver.<.ctor>b__23_0(class System.Object)',
      [
        'Raven.Server',
        'Raven.Server.ServerWide.Maintenance.ClusterObserver',
        '<.ctor>b__23_0',
        '(class System.Object)',
      ],
      'ClusterObserver..ctor',
      'server',
    ],
    [
      'Raven.Server!Raven.Server.Documents.DocumentDatabase+<>c__DisplayClass202_0.<Initialize>b__1(class System.Object)',
      [
        'Raven.Server',
        'Raven.Server.Documents.DocumentDatabase+<>c__DisplayClass202_0',
        '<Initialize>b__1',
        '(class System.Object)',
      ],
      'DocumentDatabase.Initialize',
      'server',
    ],
    [
      'Corax!Corax.Querying.Matches.MultiUnaryMatch+StaticFunctionCache`1[System.__Canon].<.cctor>g__FillFunc|1_1(value class A&)',
      [
        'Corax',
        'Corax.Querying.Matches.MultiUnaryMatch+StaticFunctionCache`1[System.__Canon]',
        '<.cctor>g__FillFunc|1_1',
        '(value class A&)',
      ],
      'MultiUnaryMatch+StaticFunctionCache.FillFunc',
      'search',
    ],
    ['System.Net.Sockets!?', ['System.Net.Sockets', '', '?', ''], '.?', 'runtime'],
    ['?!?', ['?', '', '?', ''], '.?', 'runtime'],
    ['[Native Frames]', ['', '', '[Native Frames]', ''], '.[Native Frames]', 'pseudo'],
    ['CPU_TIME', ['', '', 'CPU_TIME', ''], '.CPU_TIME', 'pseudo'],
    [
      'System.Threading.Monitor.Wait(System.Object, Int32)',
      ['', 'System.Threading.Monitor', 'Wait', '(System.Object, Int32)'],
      'Monitor.Wait',
      'runtime',
    ],
    ['Sparrow.Json.X..ctor(Int32)', ['', 'Sparrow.Json.X', '.ctor', '(Int32)'], 'X..ctor', 'server'],
    [
      'System.Private.CoreLib.il!System.Threading.Thread.StartCallback()',
      ['System.Private.CoreLib.il', 'System.Threading.Thread', 'StartCallback', '()'],
      'Thread.StartCallback',
      'runtime',
    ],
    [
      'Index_Orders_ByCompany.a1-b2.index!Raven.Server.Documents.Indexes.Static.Generated.Index_Orders_ByCompany+<Map_0>d__0.MoveNext()',
      [
        'Index_Orders_ByCompany.a1-b2.index',
        'Raven.Server.Documents.Indexes.Static.Generated.Index_Orders_ByCompany+<Map_0>d__0',
        'MoveNext',
        '()',
      ],
      'Index_Orders_ByCompany.Map_0',
      'index',
    ],
    [
      'Voron!Voron.Data.Lookups.Lookup`1[Voron.Data.CompactTrees.CompactTree+CompactKeyLookup].Find(!0)',
      ['Voron', 'Voron.Data.Lookups.Lookup`1[Voron.Data.CompactTrees.CompactTree+CompactKeyLookup]', 'Find', '(!0)'],
      'Lookup.Find',
      'storage',
    ],
    [
      'Anonymously Hosted DynamicMethods Assembly!dynamicClass.CallSite.Target(pMT: 0x7f95<!!0>)',
      ['Anonymously Hosted DynamicMethods Assembly', 'dynamicClass.CallSite', 'Target', '(pMT: 0x7f95<!!0>)'],
      'CallSite.Target',
      'runtime',
    ],
  ])('%s', (text, [module, type, method, args], short, category) => {
    const parts = splitFrame(text)
    expect(parts).toEqual({ module, type, method, args })
    const names = shortNames(parts)
    expect(`${names.type}.${names.method}`).toBe(short)
    expect(categoryOf(parts)).toBe(category)
  })

  law(
    'takes any text, and loses nothing of it',
    [fc.string({ unit: fc.constantFrom('A', '.', '!', '(', ')', '<', '>', '[', ']', '`', '+', '?') })],
    (text) => {
      const { module, type, method, args } = splitFrame(text)
      const name = type === '' ? method : `${type}.${method}`
      expect(`${module === '' ? '' : `${module}!`}${name}${args}`).toBe(text)
      shortNames({ module, type, method, args })
      expect(categoryOf({ module, type, method, args })).toBeTypeOf('string')
    },
  )
})
