import { useState, type ReactNode } from 'react'
import { formatBytes, formatPlural } from '../../base/text/format.ts'
import { useAttempt } from '../../capture/client/requests/useAttempt.ts'
import { useCapture } from '../../capture/client/view.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { FieldFrame, TextField } from '../../ui/controls/Field.tsx'
import { Select } from '../../ui/controls/Select.tsx'
import { causeOf } from '../client/action-runner.ts'
import type { FoundBackup } from '../contract.ts'
import type { ActionField } from '../model.ts'
import { FolderField } from './FolderField.tsx'
import { IndexesField } from './IndexesField.tsx'
import styles from './actions.module.css'

export interface ActionFieldsProps {
  /** Database of the call, if there is exactly one. */
  readonly database: string | null
  readonly fields: readonly ActionField[]
  /** Values by field name. */
  readonly inputs: Readonly<Record<string, string>>
  /** `file`: for a file field; null: none chosen. Left out for other fields. */
  readonly onChange: (name: string, value: string, file?: File | null) => void
}

/** Fields of a dialog, without the confirmation. */
export const ActionFields = ({ database, fields, inputs, onChange }: ActionFieldsProps): ReactNode =>
  fields.map((field) => (
    <div key={field.name} className={styles.field}>
      <OneField
        field={field}
        database={database}
        value={inputs[field.name] ?? ''}
        onChange={(value, file) => onChange(field.name, value, file)}
      />
      {field.hint === undefined ? null : <small>{field.hint}</small>}
    </div>
  ))

interface OneFieldProps {
  readonly database: string | null
  readonly field: ActionField
  readonly value: string
  readonly onChange: (value: string, file?: File | null) => void
}

function OneField({ database, field, value, onChange }: OneFieldProps): ReactNode {
  const { label, choices, input } = field
  if (input === 'file') return <FileField label={label} onChange={onChange} />
  if (input === 'backup') return <BackupField label={label} value={value} onChange={onChange} />
  if (input === 'folder') return <FolderField label={label} database={database} value={value} onChange={onChange} />
  if (input === 'indexes')
    return database === null ? null : (
      <IndexesField label={label} database={database} value={value} onChange={onChange} />
    )
  if (choices === undefined) return <TextField label={label} value={value} onChange={onChange} />
  return (
    <Select
      label={label}
      options={choices.map((choice) => ({ value: choice, text: choice }))}
      value={value}
      onChange={onChange}
    />
  )
}

interface FileFieldProps {
  readonly label: string
  readonly onChange: (value: string, file: File | null) => void
}

function FileField({ label, onChange }: FileFieldProps): ReactNode {
  const [bytes, setBytes] = useState<number | null>(null)
  return (
    <FieldFrame label={label} unit={bytes === null ? undefined : formatBytes(bytes)}>
      {({ inputId, className }) => (
        <input
          id={inputId}
          className={className}
          type="file"
          onChange={({ target: { files } }) => {
            const file = files?.[0] ?? null
            setBytes(file?.size ?? null)
            onChange(file?.name ?? '', file)
          }}
        />
      )}
    </FieldFrame>
  )
}

interface BackupFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Field for a file of the server: typed, or found in a typed folder. */
function BackupField({ label, value, onChange }: BackupFieldProps): ReactNode {
  const capture = useCapture()
  const { attempt, isRunning, failure } = useAttempt()
  const [found, setFound] = useState<{ readonly folder: string; readonly backups: readonly FoundBackup[] } | null>(null)
  const find = async (): Promise<void> => {
    const folder = value.trim()
    const outcome = await attempt('The search for backups', () => capture.request('actions.backups', { folder }))
    if (outcome.ok) setFound({ folder, backups: outcome.result })
  }
  return (
    <>
      <TextField label={label} value={value} onChange={onChange} />
      <div>
        <Button small disabled={value.trim() === '' || isRunning} onClick={() => void find()}>
          {isRunning ? 'Searching …' : 'Find backups in this folder'}
        </Button>
      </div>
      {failure === null ? null : <p role="alert">{causeOf(failure)}</p>}
      {found === null ? null : found.backups.length === 0 ? (
        <p role="status">There is no backup in {found.folder}, or the server cannot read it.</p>
      ) : (
        <Select
          label={`${formatPlural(found.backups.length, 'backup')} found`}
          options={[
            { value: '', text: 'Choose one' },
            ...found.backups.map((backup) => ({ value: backup.file, text: backupWords(backup) })),
          ]}
          value={found.backups.some(({ file }) => file === value) ? value : ''}
          onChange={(file) => file !== '' && onChange(file)}
        />
      )}
    </>
  )
}

/** `2026-11-22 00:39:54 · shop · full`, in local time of the server. */
const backupWords = ({ takenAt, database, kind, isEncrypted }: FoundBackup): string =>
  [takenAt.replace('T', ' ').replace(/\.\d+$/, ''), database, kind, ...(isEncrypted ? ['encrypted'] : [])].join(' · ')
