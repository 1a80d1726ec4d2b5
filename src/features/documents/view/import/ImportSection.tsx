import { useId, useMemo, useState, type ReactNode } from 'react'
import { causeOf } from '../../../../actions/client/action-runner.ts'
import { isFinished } from '../../../../actions/client/activity-entry.ts'
import { ActionButton } from '../../../../actions/view/ActionButton.tsx'
import { formatBytes, formatPlural } from '../../../../base/text/format.ts'
import { partsInScope } from '../../../../capture/client/database-scope.ts'
import { useView } from '../../../../capture/client/view.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { FieldFrame, TextField } from '../../../../ui/controls/Field.tsx'
import { Segmented } from '../../../../ui/controls/Segmented.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { useFocusWhenLost } from '../../../../ui/hooks/useFocusOnMount.ts'
import { Notice } from '../../../../ui/Notice.tsx'
import { Progress } from '../../../../ui/Progress.tsx'
import { SideScrollBox } from '../../../../ui/table/SideScrollBox.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import { csvProblem, csvRows, csvWarning, DELIMITERS, likelyDelimiter, type Delimiter } from '../../data/csv-preview.ts'
import { formatSettings } from '../params.ts'
import styles from '../documents.module.css'
import { useImport } from './useImport.ts'
import { idsIn, usePreview, type FilePreview } from './usePreview.ts'
import { useTextCheck } from './useTextCheck.ts'

const ROWS = 10
const COLUMNS = 50
/** Maximum length of a cell in the preview. */
const CELL = 200

const cut = (field: string): string => (field.length > CELL ? `${field.slice(0, CELL)}…` : field)

/** Suggests a name from a file name, without characters that names of databases and collections cannot contain. */
const nameFrom = ({ name }: File): string =>
  name
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[^\w.-]+/g, '_')
    .replaceAll(/^[._-]+|[._-]+$/g, '')

/** Imports a local file: into a new database, or into the database in scope if the user chooses so. */
export function ImportSection({ database }: { readonly database: string }): ReactNode {
  const inputId = useId()
  const { view, change } = useView()
  const [file, setFile] = useState<File | null>(null)
  const [into, setInto] = useState<'new' | 'this'>('new')
  const [name, setName] = useState('')
  const [collection, setCollection] = useState('')
  const [chosen, setChosen] = useState<Delimiter | null>(null)
  const preview = usePreview(file)
  const run = useImport(database, into === 'new')
  /** Takes over the focus when the import or the cancel button is disabled. */
  const stepRef = useFocusWhenLost<HTMLDivElement>(run.cancel === null)
  const delimiter = chosen ?? (preview?.kind === 'csv' ? likelyDelimiter(preview.text) : 'Comma')
  const isCsv = preview?.kind === 'csv'
  const rows = useMemo(
    () => (preview?.kind === 'csv' ? csvRows(preview.text, delimiter, Infinity, preview.isWhole) : []),
    [preview, delimiter],
  )
  /** Check of all of the table. */
  const rest = useTextCheck(isCsv ? preview.file : null, delimiter)
  const target = into === 'new' ? name.trim() : database
  const problem =
    preview === null
      ? 'Choose a file first.'
      : isCsv
        ? (preview.problem ?? csvProblem(preview.text, rows, preview.isWhole) ?? rest?.problem ?? null)
        : null
  const missing =
    target === ''
      ? 'Give the new database a name.'
      : isCsv && collection.trim() === ''
        ? 'Give the collection a name.'
        : null
  const isChecking = rest !== null && !rest.isDone && problem === null
  const refusal = run.refusal ?? problem ?? (isChecking ? 'The file is being checked.' : missing)
  const choose = (next: File): void => {
    setFile(next)
    setChosen(null)
    setName(nameFrom(next))
    setCollection(nameFrom(next))
  }
  const start = (): void => {
    if (file === null || preview === null || refusal !== null) return
    stepRef.current?.focus()
    const order = { database: target, file }
    void run.start(
      isCsv
        ? { ...order, action: 'database.import-csv', inputs: { file: file.name, collection, delimiter } }
        : { ...order, action: 'database.import', inputs: { file: file.name, what: 'Documents and indexes' } },
    )
  }
  return (
    <section className="stack" aria-label="Import">
      <div className={cx('row', styles.importRow)}>
        <FieldFrame label="File (.csv or .ravendbdump)" unit={file === null ? undefined : formatBytes(file.size)}>
          {({ inputId: id, className }) => (
            <input
              id={id}
              className={className}
              type="file"
              aria-describedby={inputId}
              onChange={({ target: { files } }) => {
                const [first] = files ?? []
                if (first !== undefined) choose(first)
              }}
            />
          )}
        </FieldFrame>
        <Segmented<'new' | 'this'>
          label="Import into"
          value={into}
          onChange={setInto}
          options={[
            { value: 'new', text: 'A new database' },
            { value: 'this', text: `“${database}”` },
          ]}
        />
        {into === 'new' ? <TextField label="Name of the new database" value={name} onChange={setName} /> : null}
        {isCsv ? (
          <>
            <TextField label="Collection" value={collection} onChange={setCollection} />
            <Select
              label="Delimiter"
              value={delimiter}
              options={DELIMITERS.map((each) => ({ value: each, text: each }))}
              onChange={setChosen}
            />
          </>
        ) : null}
        <Button
          tone="primary"
          disabled={refusal !== null || run.isRunning}
          title={refusal ?? undefined}
          onClick={start}
        >
          Import
        </Button>
        <ActionButton action="database.sample-data" target={{ kind: 'database', database, name: null }} small={false} />
      </div>
      {run.refusal === null ? null : <p className="note">{run.refusal}</p>}
      <p id={inputId} className="note">
        {into === 'this'
          ? `Documents of the same ids in “${database}” are overwritten without asking, and nothing undoes it.`
          : 'Nothing that is there is changed.'}
      </p>
      {preview === null ? null : <Preview preview={preview} rows={rows} problem={problem} />}
      {isChecking ? <Progress label="Checking the file" share={rest.share} /> : null}
      <div ref={stepRef} tabIndex={-1} role="group" aria-label="Progress of the import">
        <Step run={run} />
      </div>
      {run.done === null ? null : (
        <Notice
          tone="info"
          title={`It is in “${run.done}”.`}
          actions={
            <Button
              onClick={() =>
                change(
                  { ...partsInScope(view, run.done ?? ''), params: formatSettings({ collection: null, id: null }) },
                  { push: true },
                )
              }
            >
              Open {run.done}
            </Button>
          }
        />
      )}
    </section>
  )
}

/** The running action, or the result of the last one. */
function Step({ run: { entry, cancel } }: { readonly run: ReturnType<typeof useImport> }): ReactNode {
  if (entry === null) return null
  const { title, text, progress, error } = entry
  const words = error === null ? text : causeOf(error)
  if (isFinished(entry)) return <p role={entry.state === 'done' ? 'status' : 'alert'}>{`${title}: ${words}`}</p>
  return (
    <div className="row">
      <Progress label={`${title}: ${words === '' ? 'on its way' : words}`} share={progress} />
      {cancel === null ? null : (
        <Button small disabled={cancel.refusal !== null} title={cancel.refusal ?? undefined} onClick={cancel.run}>
          Cancel
        </Button>
      )}
    </div>
  )
}

interface PreviewProps {
  readonly preview: FilePreview
  readonly rows: readonly (readonly string[])[]
  readonly problem: string | null
}

function Preview({ preview, rows, problem }: PreviewProps): ReactNode {
  if (preview.problem !== null) return <p role="status">{preview.problem}</p>
  if (preview.kind === 'dump') {
    const ids = idsIn(preview.text, ROWS)
    return (
      <p role="status">
        {ids.length === 0 ? 'No document was found at its beginning.' : 'Its first documents: '}
        <bdi>{ids.join(', ')}</bdi>
      </p>
    )
  }
  const [head = [], ...lines] = rows.slice(0, ROWS + 1).map((row) => row.slice(0, COLUMNS))
  const more = (rows[0]?.length ?? 0) - COLUMNS
  const warning = csvWarning(rows)
  return (
    <>
      {problem === null ? null : <p role="alert">{problem}</p>}
      {problem === null && warning !== null ? <p role="status">{warning}</p> : null}
      {rows.length > 1 || preview.isWhole ? null : (
        <p role="status">Its first lines are longer than what is read for a preview.</p>
      )}
      {more > 0 ? <p className="note">{formatPlural(more, 'more field')} not shown.</p> : null}
      <SideScrollBox label="First rows" className="raised">
        <table aria-label="First rows of the file">
          <thead>
            <tr>
              {head.map((field, i) => (
                // oxlint-disable-next-line react/no-array-index-key -- a column has no identity but its place
                <th key={i}>{cut(field)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map((line, i) => (
              // oxlint-disable-next-line react/no-array-index-key -- a row has no identity but its place
              <tr key={i}>
                {line.map((field, column) => (
                  // oxlint-disable-next-line react/no-array-index-key -- a cell has no identity but its place
                  <td key={column}>{cut(field)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </SideScrollBox>
    </>
  )
}
