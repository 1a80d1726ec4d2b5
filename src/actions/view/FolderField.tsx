import { useState, type ReactNode } from 'react'
import { formatPlural } from '../../base/text/format.ts'
import { useAttempt } from '../../capture/client/requests/useAttempt.ts'
import { useCapture } from '../../capture/client/view.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { TextField } from '../../ui/controls/Field.tsx'
import { Select } from '../../ui/controls/Select.tsx'
import { causeOf } from '../client/action-runner.ts'

interface FolderFieldProps {
  readonly label: string
  /** Database of the call; null: none. */
  readonly database: string | null
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Field for a folder of the server: typed, or chosen step by step. */
export function FolderField({ label, database, value, onChange }: FolderFieldProps): ReactNode {
  const capture = useCapture()
  const { attempt, isRunning, failure } = useAttempt()
  const [found, setFound] = useState<{ readonly folder: string; readonly inside: readonly string[] } | null>(null)
  const browse = async (folder: string): Promise<void> => {
    const outcome = await attempt('The list of folders', () => capture.request('actions.folders', { database, folder }))
    if (outcome.ok) setFound({ folder, inside: outcome.result.filter((each) => each !== folder) })
  }
  return (
    <>
      <TextField label={label} value={value} onChange={onChange} />
      <div>
        <Button small disabled={isRunning} onClick={() => void browse(value.trim())}>
          {isRunning ? 'Reading …' : 'Browse folders'}
        </Button>
      </div>
      {failure === null ? null : <p role="alert">{causeOf(failure)}</p>}
      {found === null ? null : found.inside.length === 0 ? (
        <p role="status">There is no folder in {found.folder}, or the server cannot read it.</p>
      ) : (
        <Select
          label={`${formatPlural(found.inside.length, 'folder')} found`}
          options={[
            { value: '', text: 'Choose one' },
            ...found.inside.map((folder) => ({ value: folder, text: folder })),
          ]}
          value=""
          onChange={(folder) => {
            if (folder === '') return
            onChange(folder)
            void browse(folder)
          }}
        />
      )}
    </>
  )
}
