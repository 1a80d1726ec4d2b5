import { useState, type ReactNode } from 'react'
import { formatCount } from '../../base/text/format.ts'
import { DatabaseStateWords } from '../../features/databases/view/DatabaseCell.tsx'
import { DEFAULT_SORT, filterRows, sortRows } from '../../features/databases/view/rows.ts'
import { useDatabaseList } from '../../features/databases/view/useDatabaseList.ts'
import { FindList } from '../../ui/controls/FindList.tsx'

/** Maximum number of rendered rows; typing finds the others. */
const MOST = 100

interface DatabaseFinderProps {
  /** The database in scope; null: none. */
  readonly current: string | null
  readonly onChoose: (name: string) => void
}

/** The server's databases with states, filtered by a part of the name. Neither list nor choice loads one. */
export default function DatabaseFinder({ current, onChoose }: DatabaseFinderProps): ReactNode {
  const list = useDatabaseList()
  const [query, setQuery] = useState('')
  const rows = list.data?.rows ?? []
  const found = sortRows(filterRows(rows, query), DEFAULT_SORT)
  const items = found
    .slice(0, MOST)
    .map(({ name, state }) => ({ id: name, text: name, refusal: null, state, isCurrent: name === current }))
  return (
    <FindList
      label="Database"
      query={query}
      onQuery={setQuery}
      items={items}
      renderNote={({ state, isCurrent }) => (
        <>
          {isCurrent ? 'in scope · ' : ''}
          <DatabaseStateWords state={state} />
        </>
      )}
      onChoose={({ text }) => onChoose(text)}
      status={list.data === undefined ? waitingFor(list.error) : statusOf(rows.length, found.length)}
    />
  )
}

const waitingFor = (error: Error | null): string =>
  error === null ? 'Reading the list of databases.' : `The list of databases could not be read: ${error.message}`

function statusOf(all: number, found: number): string {
  if (all === 0) return 'This server has no database that you may see.'
  if (found === 0) return 'No database has this in its name.'
  if (found > MOST) return `The first ${formatCount(MOST)} of ${formatCount(found)}: type more of the name.`
  return `${formatCount(found)} of ${formatCount(all)}. Choosing one does not load it.`
}
