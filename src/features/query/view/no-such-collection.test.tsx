import { useQuery } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it } from 'vitest'
import { requestOptions } from '../../../capture/client/requests/queries.ts'
import { useCapture } from '../../../capture/client/view.ts'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { stubCapture } from '../../../testing/stub-capture.ts'
import type { QueryPage } from '../contract.ts'
import { Results } from './Results.tsx'
import { unknownCollection } from './unknown-collection.ts'
import { NEW_MS } from './useNames.ts'

const collections = [{ name: 'Orders', documents: 3 }]

it.each([
  ['from Nope', 'Nope'],
  ["from 'No such' as n where n.A = 1", 'No such'],
  ['from Orders', null],
  ['from orders as o', null],
  ["FROM 'ORDERS'", null],
  ['from index Nope', null],
  ['from @all_docs', null],
  ['from @empty', null],
  ["from '@empty'", null],
])('%s reads an unknown collection: %s', (text, name) => {
  expect(unknownCollection(text, { collections })).toBe(name)
})

const PAGE: QueryPage = {
  rows: [],
  start: 0,
  total: 0,
  leavesOut: false,
  hasLists: false,
  skipped: 0,
  scanned: 0,
  included: [],
  index: 'collection/Nope',
  isStale: false,
  indexedAt: null,
  serverMs: 0,
  tookMs: 1,
  bytes: 10,
  etag: null,
  node: null,
  timings: null,
  more: [],
}

/** Reads the names, as the editor does. */
function Names({ children }: { readonly children: ReactNode }): ReactNode {
  const { data } = useQuery(requestOptions(useCapture(), 'query.names', { database: 'Shop' }))
  return data === undefined ? null : children
}

function results(text: string, endedMs: number): ReactNode {
  const nothing = (): void => undefined
  return (
    <Results
      query={{ database: 'Shop', text, parameters: '' }}
      page={PAGE}
      run={1}
      times={{ startedMs: endedMs, endedMs }}
      earlier={[]}
      isText={false}
      onText={nothing}
      onRun={nothing}
      cost="off"
      onCost={nothing}
    />
  )
}

it('says that a collection does not exist if its names are known, and requests nothing', async () => {
  const capture = stubCapture()
  let requests = 0
  capture.responses.set('query.names', () => {
    requests += 1
    return { loaded: true, atMs: 0, collections, indexes: [] }
  })
  const shown = 'There was no collection “Nope” when the collections were last read.'
  const isShown = (): boolean => screen.queryByText((_, element) => element?.textContent === shown) !== null
  const first = renderPanel(results('from Nope', Date.now()), capture)
  expect([await screen.findByText('0 results.'), isShown(), requests]).toEqual([expect.anything(), false, 0])
  first.unmount()
  const second = renderPanel(<Names>{results('from Nope', Date.now())}</Names>, capture)
  expect([await screen.findByText('0 results.'), isShown(), requests]).toEqual([expect.anything(), true, 1])
  second.unmount()
  // The collection may have been created since names that are so old.
  renderPanel(<Names>{results('from Nope', Date.now() + 2 * NEW_MS)}</Names>, capture)
  expect([await screen.findByText('0 results.'), isShown()]).toEqual([expect.anything(), false])
})
