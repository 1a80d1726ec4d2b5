import { useEffect, useRef, useState, type ReactNode } from 'react'
import { errorText } from '../../../base/text/error-text.ts'
import { formatBytes, formatDuration, formatPlural } from '../../../base/text/format.ts'
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
import { type AskEngine, nativeEngine } from './ask/engine.ts'
import { AskedChart } from './AskedChart.tsx'
import { type Asked, type AskState, type AskTable, rangeOfRow, readAskState, textOf } from './asked.ts'
import { QUESTIONS } from './questions.ts'
import { RECORDED_LANES } from './recorded-lanes.ts'
import { placeOfRow } from './row-place.ts'
import styles from './archive.module.css'

/** Download size of the engine: WebAssembly, packed, and its script. A test checks it. */
const ENGINE_BYTES = 9_500_000

/** SQL over what is open: by `rookery open` where it serves the page, else in the page, once the user loads the engine. */
export function Ask({ recordings }: { readonly recordings: readonly Recording[] }): ReactNode {
  const [engine, setEngine] = useState(askLeft.engine)
  const [state, setState] = useState<AskState | null>(null)
  const { sources } = useCaptureState()
  useEffect(() => {
    readAskState().then(setState, () => setState({ tables: null, missing: '' }))
  }, [])
  if (state === null) return <Spinner>Looking for the engine</Spinner>
  if (state.tables !== null && state.missing === '')
    return <Questions engine={nativeEngine(state.tables)} recordings={recordings} />
  if (engine !== null) return <Questions engine={engine} recordings={recordings} />
  return (
    <LoadEngine missing={state.missing} isEmpty={recordings.length === 0 && sources.length === 0} onLoad={setEngine} />
  )
}

interface LoadEngineProps {
  /** Reason why `rookery open` runs no SQL; empty: it does not serve the page. */
  readonly missing: string
  /** Whether nothing is open. */
  readonly isEmpty: boolean
  readonly onLoad: (engine: AskEngine) => void
}

function LoadEngine({ missing, isEmpty, onLoad }: LoadEngineProps): ReactNode {
  const { attempt, isRunning, failure } = useAttempt()
  const load = async (): Promise<void> => {
    const { wasmEngine } = await import('./ask/wasm-engine.ts')
    await wasmEngine.start()
    askLeft.setEngine(wasmEngine)
    onLoad(wasmEngine)
  }
  return (
    <EmptyState
      title="SQL needs DuckDB"
      actions={
        isRunning ? (
          <Spinner>Loading DuckDB</Spinner>
        ) : (
          <Button tone="primary" onClick={() => void attempt('DuckDB was not loaded', load)}>
            Load DuckDB ({formatBytes(ENGINE_BYTES)})
          </Button>
        )
      }
    >
      {missing === '' ? null : <p>{missing}</p>}
      <p>
        It runs in this page, over what is open, and reaches no address. For long recordings{' '}
        <code>npx rookery open FOLDER</code> is faster.
      </p>
      {isEmpty ? <p>Nothing is open yet: choose a source, or open a recording or a capture in Files.</p> : null}
      <AttemptFailure of={failure} />
    </EmptyState>
  )
}

interface QuestionsProps {
  readonly engine: AskEngine
  readonly recordings: readonly Recording[]
}

type Outcome =
  | { readonly kind: 'asked'; readonly asked: Asked; readonly run: number }
  | { readonly kind: 'running'; readonly what: string }
  | { readonly kind: 'failed'; readonly message: string }

function Questions({ engine, recordings }: QuestionsProps): ReactNode {
  const capture = useCapture()
  const { view } = useView()
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
    const report = (what: string): void => {
      if (running.current === own && !own.signal.aborted) setOutcome({ kind: 'running', what })
    }
    report('Running')
    engine.ask({ sql: text, signal: own.signal, report }, { capture, recordings, range: view.range }).then(
      (asked) => own.signal.aborted || setOutcome({ kind: 'asked', asked, run: ++runs.current }),
      (error: unknown) => own.signal.aborted || setOutcome({ kind: 'failed', message: errorText(error) }),
    )
  }
  const cancel = (): void => {
    running.current?.abort()
    setOutcome(null)
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
        <span className="faint">Ctrl+Enter runs it over all that is there.</span>
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
      {outcome?.kind === 'running' ? (
        <div className="row">
          <Spinner>{outcome.what}</Spinner>
          <Button onClick={cancel}>Cancel</Button>
        </div>
      ) : null}
      {outcome?.kind === 'failed' ? (
        <Notice tone="error" title="The question was not answered">
          {outcome.message}
        </Notice>
      ) : null}
      {outcome?.kind === 'asked' ? (
        <Result key={outcome.run} asked={outcome.asked} run={outcome.run} recordings={recordings} />
      ) : (
        <Tables tables={engine.tables} />
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
  const { sources: all, server } = useCaptureState()
  const { open } = useView()
  const { attempt, failure } = useAttempt()
  const { rows, columns, hasMore, ms, taken = '', lack = '' } = asked
  const show = ({ values }: ResultRow): void => {
    const range = rangeOfRow(asked, values)
    if (range === null) return
    const place = placeOfRow(asked, values, recordings, { sources: all, server })
    const openAll = async (): Promise<void> => {
      for (const recording of place.recordings) await openRecording(capture, recording, range, null)
    }
    const parts = {
      range,
      ...(place.sources === null ? {} : { sources: place.sources }),
      ...(place.recordings.length === 0 ? {} : { params: { 'timeline.composed': RECORDED_LANES } }),
    }
    void attempt('Not shown on the timeline', openAll).then(({ ok }) => ok && open('timeline', parts))
  }
  const hasTime = columns.some(({ type }) => type === 'TIMESTAMP')
  const showRow = (row: number): void => show({ at: row, values: rows[row] ?? [] })
  return (
    <>
      <div className="row">
        <p role="status">
          {hasMore ? 'The first ' : ''}
          {formatPlural(rows.length, 'row')} in {formatDuration(ms * 10_000)}
          {taken === '' ? '' : `, from ${taken}`}.{hasTime ? ' A click on a row shows its time on the timeline.' : ''}
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
      {lack === '' ? null : (
        <Notice tone="warn" title="Not everything was read">
          {lack}
        </Notice>
      )}
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
