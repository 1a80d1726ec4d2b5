import { useEffect, useRef, useState, type ReactNode } from 'react'
import { formatDuration, formatPlural } from '../../../base/text/format.ts'
import { openRecording, type Recording } from '../../../capture/archive/recordings.ts'
import { useAttempt } from '../../../capture/client/requests/useAttempt.ts'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useCapture, useView } from '../../../capture/client/view.ts'
import { ListExport } from '../../../capture/exporting/ListExport.tsx'
import { AttemptFailure } from '../../../capture/frame/notices/AttemptFailure.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { MenuButton } from '../../../ui/controls/MenuButton.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { VirtualTable, type TableColumn } from '../../../ui/table/VirtualTable.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import { askLeft } from './ask-left.ts'
import { AskedChart } from './AskedChart.tsx'
import { ask, type Asked, type AskState, type AskTable, rangeOfRow, readAskState, textOf } from './asked.ts'
import { QUESTIONS } from './questions.ts'
import { RECORDED_LANES } from './recorded-lanes.ts'
import styles from './archive.module.css'

/** SQL over a recording, if `rookery open` serves the page. */
export function Ask({ recordings }: { readonly recordings: readonly Recording[] }): ReactNode {
  const [state, setState] = useState<AskState | null>(null)
  useEffect(() => {
    readAskState().then(setState, () => setState({ tables: null, missing: '' }))
  }, [])
  if (state === null) return <Spinner>Looking for the engine</Spinner>
  if (state.tables === null)
    return (
      <EmptyState title="SQL needs the folder on this machine">
        <p>
          <code>npx rookery open FOLDER</code> answers SQL over the folder. The files are Parquet, so any other tool
          reads them as well.
        </p>
      </EmptyState>
    )
  if (state.missing !== '') return <EmptyState title="SQL is not available">{state.missing}</EmptyState>
  return <Questions tables={state.tables} recordings={recordings} />
}

interface QuestionsProps {
  readonly tables: readonly AskTable[]
  readonly recordings: readonly Recording[]
}

type Outcome =
  | { readonly kind: 'asked'; readonly asked: Asked; readonly run: number }
  | { readonly kind: 'running' }
  | { readonly kind: 'failed'; readonly message: string }

function Questions({ tables, recordings }: QuestionsProps): ReactNode {
  const [sql, setSql] = useState(() => askLeft.get()?.sql ?? QUESTIONS[0]?.sql ?? '')
  const [outcome, setOutcome] = useState<Outcome | null>(() => {
    const asked = askLeft.get()?.asked ?? null
    return asked === null ? null : { kind: 'asked', asked, run: 0 }
  })
  const running = useRef<AbortController | null>(null)
  const runs = useRef(0)
  useEffect(() => () => running.current?.abort(), [])
  useEffect(() => askLeft.set({ sql, asked: outcome?.kind === 'asked' ? outcome.asked : null }), [sql, outcome])
  const run = (text: string): void => {
    running.current?.abort()
    const own = new AbortController()
    running.current = own
    setOutcome({ kind: 'running' })
    ask(text, own.signal).then(
      (asked) => own.signal.aborted || setOutcome({ kind: 'asked', asked, run: ++runs.current }),
      (error: unknown) =>
        own.signal.aborted ||
        setOutcome({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
    )
  }
  return (
    <div className={cx('column', styles.ask)}>
      <div className="row">
        <MenuButton
          text="Ready questions"
          label="Ready questions"
          icon="search"
          items={QUESTIONS.map((question) => ({
            text: question.title,
            onChoose: () => {
              setSql(question.sql)
              run(question.sql)
            },
          }))}
        />
        <Button tone="primary" onClick={() => run(sql)}>
          Run
        </Button>
        <span className="faint">Ctrl+Enter runs it over all that was recorded until then.</span>
      </div>
      <textarea
        className={styles.sql}
        aria-label="SQL"
        spellCheck={false}
        value={sql}
        onChange={(event) => setSql(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run(sql)
        }}
      />
      {outcome?.kind === 'running' ? <Spinner>Running</Spinner> : null}
      {outcome?.kind === 'failed' ? (
        <Notice tone="error" title="The question was not answered">
          {outcome.message}
        </Notice>
      ) : null}
      {outcome?.kind === 'asked' ? (
        <Result key={outcome.run} asked={outcome.asked} run={outcome.run} recordings={recordings} />
      ) : (
        <Tables tables={tables} />
      )}
    </div>
  )
}

const ROW_PX = 26
const CELL_PX = 150
const CHARACTER_PX = 8
const MOST_CELL_PX = 520
/** Number of rows from which the width of a column is derived. */
const SAMPLE_ROWS = 200

function columnsOf({ columns, rows }: Asked): TableColumn[] {
  return columns.map(({ name }, at) => {
    const sample = rows.slice(0, SAMPLE_ROWS).map((row) => row[at])
    const longest = Math.max(name.length, ...sample.map((value) => textOf(value).length))
    return {
      id: String(at),
      title: name,
      align: sample.some((value) => typeof value === 'number') ? 'end' : 'start',
      width: Math.min(MOST_CELL_PX, Math.max(CELL_PX / 2, longest * CHARACTER_PX + 16)),
    }
  })
}

interface ResultProps {
  readonly asked: Asked
  readonly run: number
  readonly recordings: readonly Recording[]
}

interface ResultRow {
  readonly at: number
  readonly values: readonly unknown[]
}

/** Rows of a result. A row with a time links to the timeline. */
function Result({ asked, run, recordings }: ResultProps): ReactNode {
  const capture = useCapture()
  const { sources: all } = useCaptureState()
  const { open } = useView()
  const { attempt, failure } = useAttempt()
  const { rows, columns, hasMore, ms } = asked
  const show = ({ values }: ResultRow): void => {
    const range = rangeOfRow(asked, values)
    const [recording] = recordings
    if (range === null || recording === undefined) return
    const sources = all.flatMap(({ id }) => (id.startsWith(`file:${recording.name}/`) ? [id] : []))
    void attempt('Not shown on the timeline', () => openRecording(capture, recording, range, null)).then(
      ({ ok }) => ok && open('timeline', { range, sources, params: { 'timeline.composed': RECORDED_LANES } }),
    )
  }
  const hasTime = columns.some(({ type }) => type === 'TIMESTAMP')
  const showRow = (row: number): void => show({ at: row, values: rows[row] ?? [] })
  return (
    <>
      <div className="row">
        <p role="status">
          {hasMore ? 'The first ' : ''}
          {formatPlural(rows.length, 'row')} in {formatDuration(ms * 10_000)}.
          {hasTime ? ' A click on a row shows its time on the timeline.' : ''}
        </p>
        <ListExport
          label="answer"
          what="answer"
          of=""
          at={null}
          columns={columns.map(({ name }, at) => ({
            name,
            value: (row: readonly unknown[]) => {
              const value = row[at]
              return typeof value === 'number' || value === null ? value : textOf(value)
            },
          }))}
          rows={rows}
        />
        <AttemptFailure of={failure} />
      </div>
      <div className={styles.answer}>
        <AskedChart asked={asked} {...(hasTime ? { onShow: showRow } : {})} />
        <div className={cx('raised', styles.result)}>
          <VirtualTable<ResultRow>
            label="Answer"
            columns={columnsOf(asked)}
            total={rows.length}
            rowHeightPx={ROW_PX}
            fetchRows={(offset, limit) =>
              Promise.resolve(rows.slice(offset, offset + limit).map((values, i) => ({ at: offset + i, values })))
            }
            renderCell={({ values }, id) => textOf(values[Number(id)])}
            sort={null}
            onSort={() => undefined}
            {...(hasTime ? { onRowClick: show } : {})}
            rowKey={({ at }) => String(at)}
            version={run}
          />
        </div>
      </div>
    </>
  )
}

function Tables({ tables }: { readonly tables: readonly AskTable[] }): ReactNode {
  return (
    <dl className={styles.tables} aria-label="Tables">
      {tables.map(({ name, columns }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{columns.join(', ')}</dd>
        </div>
      ))}
    </dl>
  )
}
