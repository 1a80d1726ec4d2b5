import type { ReactNode } from 'react'
import { formatCount } from '../../../base/text/format.ts'
import { taskWords, type Operation } from '../../../ravendb/operations-wire.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { TextField } from '../../../ui/controls/Field.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import styles from './activity.module.css'
import { choicesOf, isFiltered, NO_FILTER, OF_SERVER, type OperationFilter } from './operation-filter.ts'

interface OperationFiltersProps {
  /** All known operations. */
  readonly operations: readonly Operation[]
  /** Number of listed ones. */
  readonly shown: number
  readonly filter: OperationFilter
  readonly onChange: (filter: OperationFilter) => void
}

/** Filters for the list of operations: database, type and text. */
export function OperationFilters({ operations, shown, filter, onChange }: OperationFiltersProps): ReactNode {
  const { databases, tasks } = choicesOf(operations, filter)
  return (
    <div className={styles.filters} role="group" aria-label="Filters">
      <TextField
        label="Find an operation"
        hideLabel
        type="search"
        placeholder="Text or number"
        value={filter.find}
        onChange={(find) => onChange({ ...filter, find })}
      />
      <Select
        label="Database"
        hideLabel
        options={[
          { value: '', text: 'all databases' },
          ...databases.map((name) => ({ value: name, text: name === OF_SERVER ? 'the server itself' : name })),
        ]}
        value={filter.database}
        onChange={(database) => onChange({ ...filter, database })}
      />
      <Select
        label="Type"
        hideLabel
        options={[{ value: '', text: 'all types' }, ...tasks.map((task) => ({ value: task, text: taskWords(task) }))]}
        value={filter.task}
        onChange={(task) => onChange({ ...filter, task })}
      />
      {isFiltered(filter) ? (
        <>
          <span className={styles.faint} role="status">
            {formatCount(shown)} of {formatCount(operations.length)} listed
          </span>
          <Button small onClick={() => onChange(NO_FILTER)}>
            Clear
          </Button>
        </>
      ) : null}
    </div>
  )
}
