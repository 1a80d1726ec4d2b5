import { describe, expect, it } from 'vitest'
import plugin from './plugin.mjs'
import { faultOfComment, featureOfFile, featureOfName, isContractOf } from './rules.mjs'

describe('comments', () => {
  it.each([
    'Of the rows in sight.',
    '* What the server keeps.',
    '*\n * One lane for each kind.\n ',
    ' It opens the server.',
    'Null: not known.',
    'Rows that were asked for.',
    'As the server was told.',
    '* @param {string} of the server that was asked',
  ])('refuses %j', (comment) => expect(faultOfComment(comment)).not.toBeNull())

  it.each([
    '* Rows in sight, by key; null: not known.',
    ' Often, offers and whatever begins with the same letters.',
    'Shown as “Asked too often”, which `ask` means; a task, a mask.',
    'Items of what happened.',
    '*\n * Reads it.\n * @param {Map<string, {asked: Asked}>} asked\n * @returns {Promise<Asked>}\n ',
  ])('accepts %j', (comment) => expect(faultOfComment(comment)).toBeNull())
})

describe('names of features', () => {
  it('are those that a feature publishes as requests, parameters or lanes', () => {
    expect(featureOfName('server.want')).toBe('server')
    expect(featureOfName('threads.history')).toBe('stacks')
    expect(featureOfName('clusterLog.read')).toBe('cluster-log')
    expect(featureOfName('io.journals')).toBe('io')
    expect(featureOfName('stacks.jobs')).toBe('stacks')
    // An action, a figure of the server, a file, text.
    for (const text of ['query.kill', 'indexing.indexedRate', 'databases.json', 'io.', 'a.b', 'see io.journals', 1])
      expect(featureOfName(text)).toBeNull()
  })

  it('belong to the folder of a file, and to contracts', () => {
    expect(featureOfFile('/x/src/features/io/view/IoPanel.tsx')).toBe('io')
    expect(featureOfFile('/x/src/feeds/io/data/feed.ts')).toBe('io')
    expect(featureOfFile('/x/src/capture/frame/panel.ts')).toBeNull()
    expect(isContractOf('../../io/contract.ts', 'io')).toBe(true)
    expect(isContractOf('../../../feeds/io/contract.ts', 'io')).toBe(true)
    expect(isContractOf('../../../io/contract/lanes.ts', 'io')).toBe(true)
    expect(isContractOf('../../io/lanes.ts', 'io')).toBe(false)
    expect(isContractOf('../../studio/contract.ts', 'io')).toBe(false)
  })

  /**
   * Reports of the rule on a file.
   * @param {string} filename
   * @param {readonly string[]} imports
   * @param {readonly string[]} literals
   */
  const reports = (filename, imports, literals) => {
    /** @type {string[]} */
    const found = []
    const visitor = plugin.rules['contract-imports'].create({
      filename,
      report: (/** @type {{ message: string }} */ { message }) => void found.push(message),
    })
    for (const value of imports) visitor.ImportDeclaration?.({ source: { value } })
    for (const value of literals) visitor.Literal?.({ value })
    visitor['Program:exit']?.()
    return found
  }

  it('of another feature need its contract, which may follow; own ones and files of no feature do not', () => {
    const file = '/x/src/features/stalls/view/StallsPanel.tsx'
    expect(reports(file, [], ['io.hide', 'stalls.least'])).toEqual(['“io.hide” is of io: import its contract.ts.'])
    expect(reports(file, ['../../io/contract.ts'], ['io.hide'])).toEqual([])
    expect(reports(file, ['../../io/contract.ts'], ['io.hide', 'server.want'])).toHaveLength(1)
    expect(reports('/x/src/app/lanes.ts', [], ['io.hide'])).toEqual([])
  })
})
