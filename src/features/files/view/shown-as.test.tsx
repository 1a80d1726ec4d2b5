import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RawRow } from '../../../capture/raw/queries.ts'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { rawCapture } from '../../../testing/raw-capture.ts'
import type { StubCapture } from '../../../testing/stub-capture.ts'
import type { FilesSettings } from './params.ts'
import { parseSettings } from './params.ts'
import * as save from '../../../ui/save.ts'
import { RawViewer } from './raw/RawViewer.tsx'

const saved = { names: [] as string[], texts: [] as string[] }

beforeEach(() => {
  vi.spyOn(save, 'chooseSaveTarget').mockImplementation(({ name }) => {
    saved.names.push(name)
    let text = ''
    return Promise.resolve({
      isDownload: true,
      write: (piece: Uint8Array) => Promise.resolve(void (text += new TextDecoder().decode(piece))),
      finish: () => Promise.resolve(void saved.texts.push(text)),
      discard: () => Promise.resolve(),
    })
  })
})
afterEach(() => void vi.restoreAllMocks())

beforeEach(() => {
  saved.names = []
  saved.texts = []
})
let capture: StubCapture
let settings: FilesSettings

function show(label: string, text: string, params: Record<string, string> = {}): void {
  capture = rawCapture(() => ({ blob: new Blob([text]) }))
  settings = parseSettings(params)
  function Host(): ReactNode {
    const [now, setNow] = useState(settings)
    return (
      <RawViewer
        document={{ file: 1, entry: label }}
        label={label}
        settings={now}
        onSettings={(parts) => {
          settings = { ...settings, ...parts }
          setNow(settings)
        }}
      />
    )
  }
  renderPanel(<Host />, capture)
}

const HOSTILE = '<img src=x onerror="alert(1)">\u202Egpj.exe'

const LIST = `{"@metadata":{"Node":"A"},"Results":[
  {"Name":"orders","Etag":9007199254740993,"Rate":1.10},
  {"Name":${JSON.stringify(HOSTILE)},"Etag":9007199254740992,"Error":${JSON.stringify(`=cmd ${'long '.repeat(2000)}`)}},
  {"Etag":10,"Inner":{"Deep":[1.50]},"Name":null}
]}`

const bodyRows = (table: HTMLElement): readonly (string | null)[][] =>
  within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    )

describe('a list of objects', () => {
  const openTable = async (): Promise<HTMLElement> => {
    await userEvent.click(await screen.findByRole('radio', { name: 'Table' }))
    const table = await screen.findByRole('table', { name: /^\$\.Results of/ })
    await within(table).findByText('9007199254740993')
    return table
  }

  it('is a table with the digits as they are written, empty cells where a field is missing, and no markup', async () => {
    show('db/indexes.json', LIST)
    expect(await screen.findByRole('tree')).toBeTruthy()
    const table = await openTable()
    const heads = within(table).getAllByRole('columnheader')
    expect(heads.map((head) => head.textContent)).toEqual(['#', 'Name', 'Etag', 'Rate', 'Error', 'Inner'])
    const [orders, hostile, inner] = bodyRows(table)
    expect(orders).toEqual(['1', 'orders', '9007199254740993', '1.10', '', ''])
    expect(hostile?.slice(0, 3)).toEqual([
      '2',
      String.raw`<img src=x onerror="alert(1)">\u202Egpj.exe`,
      '9007199254740992',
    ])
    expect(hostile?.[4]?.length).toBeLessThan(310)
    expect(inner).toEqual(['3', 'null', '10', '', '', '{"Deep":[1.50]}'])
    expect(document.querySelector('img')).toBeNull()
    expect(settings.as).toBe('table')
  })

  it('is sorted exactly and filtered, and what is shown is exported as it is written', async () => {
    const user = userEvent.setup()
    show('db/indexes.json', LIST)
    const table = await openTable()
    await user.click(within(table).getByRole('button', { name: 'Etag' }))
    await waitFor(() =>
      expect(bodyRows(table).map(([, , etag]) => etag)).toEqual(['9007199254740993', '9007199254740992', '10']),
    )
    await user.click(within(table).getByRole('button', { name: /^Etag/ }))
    await waitFor(() =>
      expect(bodyRows(table).map(([, , etag]) => etag)).toEqual(['10', '9007199254740992', '9007199254740993']),
    )
    await user.type(screen.getByRole('searchbox', { name: 'Filter rows' }), '90071992')
    expect(await screen.findByText('2 of 3 rows')).toBeTruthy()
    await user.click(screen.getByRole('menuitem', { name: /CSV/ }))
    await user.click(screen.getByRole('menuitem', { name: /NDJSON/ }))
    await expect.poll(() => saved.texts.length).toBe(2)
    const [csv, ndjson] = saved.texts
    const lines = csv!.split('\r\n')
    expect(lines[0]).toBe('Name,Etag,Rate,Error,Inner')
    expect(lines[1]).toContain(',9007199254740992,,"\'=cmd long')
    expect(lines[2]).toBe('orders,9007199254740993,1.10,,')
    expect(ndjson!.split('\n')[1]).toBe('{"Name":"orders","Etag":9007199254740993,"Rate":1.10}')
    expect(saved.names[0]).toBe('rookery-table-db-indexes.json.csv')
  })

  it('has each row in full: long texts with More, inner objects, and the way to it in the tree', async () => {
    const user = userEvent.setup()
    show('db/indexes.json', LIST)
    const table = await openTable()
    await user.click(within(table).getByText('9007199254740992'))
    const pane = within(screen.getByRole('region', { name: 'Chosen row' }))
    expect(pane.getByText('$.Results[1]')).toBeTruthy()
    expect(pane.getByRole('button', { name: /^More: 6,005 characters/ })).toBeTruthy()
    await user.click(pane.getByRole('button', { name: 'Copy row' }))
    expect(await navigator.clipboard.readText()).toContain('"Etag":9007199254740992')
    await user.click(pane.getByRole('button', { name: 'Show in tree' }))
    const tree = await screen.findByRole('tree')
    await waitFor(() => expect(within(tree).getByRole('treeitem', { selected: true }).textContent).toContain('1'))
    expect(LIST.slice(settings.at ?? 0)).toMatch(/^\{"Name":"<img/)
  })

  it('is one of several, and each is chosen by its path', async () => {
    const user = userEvent.setup()
    show('memory.json', '{"Threads":[{"Id":1}],"Maps":{"List":[{"Path":"/a"},{"Path":"/b"}]}}', { 'files.as': 'table' })
    expect(await screen.findByRole('table', { name: '$.Threads of memory.json' })).toBeTruthy()
    await user.selectOptions(screen.getByRole('combobox', { name: 'List' }), '$.Maps.List (2)')
    expect(await screen.findByText('/b')).toBeTruthy()
  })

  it('is not offered where there is none, and a link to it shows the tree', async () => {
    show('stats.json', '{"CountOfDocuments":1,"Names":["a"]}', { 'files.as': 'table' })
    expect(await screen.findByRole('tree')).toBeTruthy()
    expect(screen.queryByRole('radio', { name: 'Table' })).toBeNull()
  })

  it('that cannot be read as one is said to be so', async () => {
    show('broken.json', '[{"a" 1}]', { 'files.as': 'table' })
    expect(await screen.findByText('$ cannot be shown as a table.')).toBeTruthy()
  })
})

const LOG = [
  'Date|Level|ThreadID|Resource|Component|Logger|Message|Data',
  '2026-11-26 20:07:58.1793|INFO|1|Server||Raven.Server.Program|Build 71028|',
  '2026-11-26 20:58:00.8330|WARN|31|shop||Raven.Server.Documents.Indexes.MapDocuments|Failed to map <img src=x>|System.DivideByZeroException',
  '   at Raven.Server.Run()',
  '2026-11-26 20:58:01.0000|ERROR|31|shop||Raven.Server.Disk|Disk is full|',
  '',
].join('\n')

describe('a log', () => {
  const openLog = (text: string, params: Record<string, string> = {}): Promise<HTMLElement> => {
    show('server-wide/2026-11-20 4-12-56.log', text, params)
    return screen.findByRole('table', { name: /^Log lines of/ })
  }

  it('is shown as lines with their parts; what belongs to a line has no head of its own', async () => {
    const table = await openLog(LOG)
    await within(table).findByText('Disk is full|')
    const rows = bodyRows(table)
    expect(rows).toHaveLength(5)
    expect(rows[2]).toEqual([
      '2026-11-26 20:58:00.8330',
      'WARN',
      'Failed to map <img src=x>|System.DivideByZeroException',
      'shop',
      'MapDocuments',
    ])
    expect(rows[3]).toEqual(['', '', '   at Raven.Server.Run()', '', ''])
    expect(within(table).getByText('ERROR').className).toContain('error')
    expect(document.querySelector('img')).toBeNull()
  })

  it('hides levels with what belongs to them', async () => {
    const user = userEvent.setup()
    const table = await openLog(LOG)
    await user.click(await screen.findByRole('checkbox', { name: 'No level (1)' }))
    await waitFor(() => expect(bodyRows(table).map(([, level]) => level)).toEqual(['INFO', 'WARN', '', 'ERROR']))
    await user.click(screen.getByRole('checkbox', { name: 'warn (1)' }))
    await waitFor(() => expect(bodyRows(table).map(([, level]) => level)).toEqual(['INFO', 'ERROR']))
    await user.click(screen.getByRole('checkbox', { name: 'warn (1)' }))
    await waitFor(() => expect(bodyRows(table)).toHaveLength(4))
  })

  it('is searched from line to line, those that are hidden left out, and shows an entry in full', async () => {
    const user = userEvent.setup()
    await openLog(LOG)
    await user.type(await screen.findByRole('searchbox', { name: 'Search in the log' }), 'raven.SERVER')
    expect(await screen.findByText('1 of 4 lines')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Next hit (Enter)' }))
    expect(await screen.findByText('2 of 4 lines')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Next hit (Enter)' }))
    const entry = within(screen.getByRole('region', { name: 'Chosen entry' }))
    expect(entry.getByLabelText('Entry').textContent).toMatch(/^2026-11-26 20:58:00\.8330\|WARN.*\n {3}at Raven/)
    await user.click(screen.getByRole('checkbox', { name: 'warn (1)' }))
    expect(await screen.findByText('2 lines')).toBeTruthy()
    expect(screen.queryByRole('region', { name: 'Chosen entry' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Next hit (Enter)' }))
    expect(await screen.findByText('2 of 2 lines')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Next hit (Enter)' }))
    expect(await screen.findByText('1 of 2 lines')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Previous hit' }))
    expect(await screen.findByText('2 of 2 lines')).toBeTruthy()
    expect(LOG.slice(settings.at ?? 0)).toMatch(/^2026-11-26 20:58:01/)
  })

  it('opens at the byte of a link', async () => {
    await openLog(LOG, { 'files.at': String(LOG.indexOf('Disk is full')) })
    expect((await screen.findByLabelText('Entry')).textContent).toContain('|ERROR|31|shop')
  })

  it('larger than a part is read part by part', async () => {
    const user = userEvent.setup()
    const total = 100_003
    const rowOf = (n: number): RawRow => ({
      at: n * 100,
      parts: [`2026-11-26 20:58:00.0000|INFO|1|S||L|line ${String(n)}|`],
      isCut: false,
    })
    show('large.log', 'INFO')
    const status = capture.responses.get('raw.status')!
    capture.responses.set('raw.status', async (params) => ({ ...((await status(params)) as object), rows: total }))
    const counts: number[] = []
    capture.responses.set('raw.rows', (params) => {
      const { first, count } = params as { first: number; count: number }
      counts.push(count)
      return Array.from({ length: count }, (_, i) => rowOf(first + i))
    })
    expect(await screen.findByText('line 0|')).toBeTruthy()
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(100_000)
    expect(screen.getByRole('checkbox', { name: 'info (100,000)' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Next part' }))
    expect(await screen.findByText('line 100000|')).toBeTruthy()
    expect(screen.getByRole('checkbox', { name: 'info (3)' })).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next part' }).disabled).toBe(true)
  })

  it('without a level in it is shown as it is, and as text where that is chosen', async () => {
    const user = userEvent.setup()
    const table = await openLog('just a line\n')
    expect(await within(table).findByText('just a line')).toBeTruthy()
    await user.click(screen.getByRole('radio', { name: 'Text' }))
    expect(await screen.findByRole('list', { name: /^Text of/ })).toBeTruthy()
  })
})
