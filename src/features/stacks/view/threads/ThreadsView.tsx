import type { ReactNode } from 'react'
import { Toggle } from '../../../../ui/controls/Toggle.tsx'
import type { SnapshotId } from '../../../../feeds/stacks/contract/ids.ts'
import type { JobRow } from '../../../../feeds/stacks/contract/jobs.ts'
import { toggled, type StacksSettings } from '../params.ts'
import { sortJobs } from './thread-groups.ts'
import { ThreadsTable } from './ThreadsTable.tsx'

export interface ThreadsViewProps {
  readonly snapshot: SnapshotId | null
  readonly live: boolean
  readonly jobs: readonly JobRow[]
  readonly settings: StacksSettings
  readonly version: number
  readonly selected: number | null
  readonly onChange: (parts: Partial<StacksSettings>) => void
  readonly onSelect: (threadId: number) => void
}

/** The table of threads, grouped by job unless a filter hides threads. */
export function ThreadsView(props: ThreadsViewProps): ReactNode {
  const { settings, jobs, onChange } = props
  const { sort, openJobs } = settings
  const chosen = settings.jobs.length === 0 ? jobs : jobs.filter(({ job }) => settings.jobs.includes(job.key))
  const whole = settings.waits.length === 0 && settings.find.text.trim() === ''
  // A single chosen job is open, since its threads are wanted.
  const open = settings.jobs.length === 1 ? settings.jobs : openJobs
  return (
    <ThreadsTable
      base={{
        snapshot: props.snapshot,
        live: props.live,
        jobs: settings.jobs.length === 0 ? null : settings.jobs,
        waits: settings.waits.length === 0 ? null : settings.waits,
        match: settings.find,
        threadIds: null,
        sort: sort.id,
        descending: sort.descending,
      }}
      jobs={settings.isGrouped && whole ? sortJobs(chosen, sort.id, sort.descending) : null}
      jobsOf={jobs}
      openJobs={open}
      version={props.version}
      selected={props.selected}
      onSort={(next) => onChange({ sort: next })}
      onSelect={(row) => props.onSelect(row.id)}
      onToggleJob={(key) => onChange({ openJobs: toggled(openJobs, key) })}
    >
      <Toggle
        label="Group by job"
        title={whole ? 'Threads below the job that they work for' : 'Found threads stand by themselves'}
        checked={settings.isGrouped}
        onChange={(isGrouped) => onChange({ isGrouped })}
      />
    </ThreadsTable>
  )
}
