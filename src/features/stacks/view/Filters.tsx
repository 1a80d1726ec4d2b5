import type { ReactNode } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { TextField } from '../../../ui/controls/Field.tsx'
import { Toggle } from '../../../ui/controls/Toggle.tsx'
import type { JobRow } from '../../../feeds/stacks/contract/jobs.ts'
import type { StacksSettings } from './params.ts'
import styles from './panel.module.css'
import { waitLook } from './threads/wait-styles.ts'
import { jobName } from './words.ts'
import { cx } from '../../../ui/theme/cx.ts'

interface FiltersProps {
  readonly settings: StacksSettings
  readonly jobs: readonly JobRow[]
  readonly onChange: (parts: Partial<StacksSettings>) => void
}

/** Search text and active filters, each with a button to remove it. */
export function Filters({ settings, jobs, onChange }: FiltersProps): ReactNode {
  const { find } = settings
  const named = (key: string): string => {
    const row = jobs.find(({ job }) => job.key === key)
    return row === undefined ? key : jobName(row.job)
  }
  return (
    <div className={cx('row', styles.filters)}>
      <TextField
        type="search"
        label="Search threads and frames"
        hideLabel
        placeholder="Search threads and frames (/)"
        value={find.text}
        onChange={(text) => onChange({ find: { ...find, text } })}
      />
      <Toggle
        label="Regex"
        title="A regular expression; only what takes linear time is understood"
        checked={find.isRegex}
        onChange={(isRegex) => onChange({ find: { ...find, isRegex } })}
      />
      {settings.jobs.map((key) => (
        <Button
          key={key}
          small
          icon="close"
          aria-label={`Remove the filter ${named(key)}`}
          onClick={() => onChange({ jobs: settings.jobs.filter((each) => each !== key) })}
        >
          <bdi className={styles.cut}>{named(key)}</bdi>
        </Button>
      ))}
      {settings.waits.map((kind) => (
        <Button
          key={kind}
          small
          icon="close"
          aria-label={`Remove the filter ${waitLook(kind).title}`}
          onClick={() => onChange({ waits: settings.waits.filter((each) => each !== kind) })}
        >
          {waitLook(kind).title}
        </Button>
      ))}
    </div>
  )
}
