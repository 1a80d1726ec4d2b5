import { useMemo, useRef, useState, type ReactNode } from 'react'
import { useServerKeyOrNull } from '../../../actions/client/use-server-key.ts'
import { ActionButton } from '../../../actions/view/ActionButton.tsx'
import { shapeOf } from '../../../base/rql/shape.ts'
import { formatDuration } from '../../../base/text/format.ts'
import { spanFromMs } from '../../../base/ticks.ts'
import { ClosedNotice } from '../../../capture/frame/notices/ClosedNotice.tsx'
import { DraftNotices } from '../../../capture/frame/notices/DraftNotices.tsx'
import { NoSuchDatabase } from '../../../capture/frame/notices/UnlessClosed.tsx'
import { PanelFrame } from '../../../capture/frame/PanelFrame.tsx'
import type { PanelProps } from '../../../capture/frame/panel.ts'
import { useDatabaseScope } from '../../../capture/client/database-scope.ts'
import { useDrafts } from '../../../capture/client/drafts/useDrafts.ts'
import { useView } from '../../../capture/client/view.ts'
import { queryName } from '../../../ravendb/query-key.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { Editor } from '../../../ui/editor/Editor.tsx'
import type { EditorHandle } from '../../../ui/editor/editor-types.ts'
import { useNow } from '../../../ui/hooks/now.ts'
import { ErrorNotice, Notice } from '../../../ui/Notice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import type { QueryText } from '../contract.ts'
import { missingParameters, parametersProblem } from '../data/run.ts'
import { FirstQueries } from './FirstQueries.tsx'
import { keepRecent } from './kept-queries.ts'
import { KeptQueries } from './KeptQueries.tsx'
import { NeedsIndex } from './NeedsIndex.tsx'
import { NoSuchCollection } from './NoSuchCollection.tsx'
import { formatSettings, parseSettings } from './params.ts'
import { PatchResult } from './PatchResult.tsx'
import { Results } from './Results.tsx'
import { useCompletion } from './useNames.ts'
import { useQueryRun, type RunState, type TimedRun } from './useQueryRun.ts'
import { useQueryText } from './useQueryText.ts'
import { useThreadWatch, type CostShown } from './useThreadWatch.ts'
import styles from './query.module.css'

/** Database queries: editor, run button, and results as the server sent them. */
export default function QueryPanel({ panel }: PanelProps): ReactNode {
  const { name: database } = useDatabaseScope()
  const server = useServerKeyOrNull()
  const { all, chosen } = useDrafts()
  return (
    <PanelFrame panel={panel} className={cx('column', styles.panel)}>
      {database === null ? null : server === null || all === null ? (
        <Spinner>Reading drafts</Spinner>
      ) : (
        <DatabaseQuery key={`${server} ${database} ${String(chosen)}`} server={server} database={database} />
      )}
    </PanelFrame>
  )
}

function DatabaseQuery({ server, database }: { readonly server: string; readonly database: string }): ReactNode {
  const { view, change, href } = useView()
  const { isText } = parseSettings(view.params)
  const place = { kind: 'query', server, database, id: '' } as const
  const { text, parameters, type, carry } = useQueryText(place)
  const { state, timed, run, cancel } = useQueryRun()
  const { cost, setCost } = useThreadWatch()
  /** Number of times a shortcut requested a name for the query since the list was opened; null: the list is closed. */
  const [listed, setListed] = useState<number | null>(null)
  const saveByName = (): void => setListed((listed ?? 0) + 1)
  const editor = useRef<EditorHandle>(null)
  const complete = useCompletion(database)
  const { parameters: names, isUpdate } = useMemo(() => shapeOf(text), [text])
  const problem = parametersProblem(parameters)
  const missing = problem === null ? missingParameters(names, parameters) : []
  const isEmpty = text.trim() === ''
  const query: QueryText = { database, text, parameters }

  const runNow = (options?: { readonly load: boolean }): void => {
    if (isEmpty || problem !== null) return
    keepRecent({ server, ...query, name: '', atMs: Date.now() })
    carry()
    run(query, options)
  }
  const refused = state.phase === 'done' && state.outcome.outcome === 'refused' ? state.outcome : null
  // A position is valid only for the text that was sent.
  const faultPlace = refused !== null && state.phase === 'done' && state.query.text === text ? refused.place : null
  const diagnostics = useMemo(
    () =>
      refused === null || faultPlace === null
        ? []
        : [{ ...faultPlace, severity: 'error' as const, message: refused.message }],
    [refused, faultPlace],
  )

  return (
    <>
      <DraftNotices place={place} />
      <ClosedNotice database={database} refused="No query can be run until it is back.">
        What you typed is kept.
      </ClosedNotice>
      <div className={styles.editors}>
        <div className={styles.editor}>
          <p className="note" aria-hidden="true">
            Query
          </p>
          <Editor
            ref={editor}
            label="Query in RQL"
            text={text}
            placeholder="from Orders where Total > 100 order by Total as double desc"
            minLines={4}
            language="rql"
            diagnostics={diagnostics}
            complete={complete}
            onChange={(typed) => type({ text: typed })}
            onRun={runNow}
            onSave={saveByName}
          />
          {refused === null || refused.place === null ? null : (
            <p role="alert" className="fault">
              {refused.message}
              {state.phase === 'done' && state.query.text !== text ? ' (The text was changed since.)' : ''}
            </p>
          )}
        </div>
        <div className={styles.editor}>
          <p className="note" aria-hidden="true">
            Parameters
          </p>
          <Editor
            label="Parameters as JSON"
            text={parameters}
            placeholder={names.length === 0 ? '{ }' : `{ "${names[0] ?? ''}": … }`}
            minLines={4}
            language="json"
            onChange={(typed) => type({ parameters: typed })}
            onRun={runNow}
            onSave={saveByName}
          />
          <ParametersNote names={names} missing={missing} problem={problem} />
        </div>
      </div>
      <div className="row">
        {state.phase === 'running' ? (
          <Button tone="primary" onClick={cancel}>
            Cancel
          </Button>
        ) : (
          <Button
            tone="primary"
            icon="play"
            disabled={isEmpty || problem !== null}
            title={isEmpty ? 'Write a query first: from Orders' : (problem ?? 'Ctrl or ⌘ with Enter')}
            onClick={() => runNow()}
          >
            {isUpdate ? 'Preview patch' : 'Run'}
          </Button>
        )}
        <Button aria-expanded={listed !== null} onClick={() => setListed(listed === null ? 0 : null)}>
          Saved and recent
        </Button>
        <CopyButton
          label="Copy link"
          small={false}
          text={() => new URL(href('query', { params: formatSettings({ text, parameters }) }), location.href).href}
        />
        <span className="note">No query creates an index here unless you say so.</span>
      </div>
      {listed === null ? null : (
        <KeptQueries
          key={listed}
          beginsWithName={listed > 0}
          server={server}
          database={database}
          text={text}
          parameters={parameters}
          onTake={(kept) => type({ text: kept.text, parameters: kept.parameters })}
        />
      )}
      {isEmpty && state.phase === 'none' ? (
        <FirstQueries
          database={database}
          onTake={(taken) => {
            type({ text: taken })
            editor.current?.focus()
          }}
        />
      ) : null}
      <Outcome
        state={state}
        timed={timed}
        isText={isText}
        onText={(next) => change({ params: formatSettings({ isText: next }) })}
        onRun={() => runNow()}
        onLoad={() => runNow({ load: true })}
        cost={cost}
        onCost={setCost}
      />
    </>
  )
}

interface ParametersNoteProps {
  readonly names: readonly string[]
  /** Names without a value. */
  readonly missing: readonly string[]
  /** Reason why the parameters cannot be sent; null if they can. */
  readonly problem: string | null
}

const withDollars = (names: readonly string[]): string => names.map((name) => `$${name}`).join(', ')

function ParametersNote({ names, missing, problem }: ParametersNoteProps): ReactNode {
  if (problem !== null) return <p className="note fault">{problem}</p>
  return (
    <p className="note">
      {names.length === 0
        ? 'An object in JSON. Numbers are sent as they are typed.'
        : missing.length === 0
          ? `Values for ${withDollars(names)}.`
          : `No value yet for ${withDollars(missing)}: { "${missing[0] ?? ''}": … }`}
    </p>
  )
}

interface OutcomeProps {
  readonly state: RunState
  readonly timed: readonly TimedRun[]
  readonly isText: boolean
  readonly onText: (isText: boolean) => void
  readonly onRun: () => void
  readonly onLoad: () => void
  readonly cost: CostShown
  readonly onCost: (cost: CostShown) => void
}

function Outcome({ state, timed, isText, onText, onRun, onLoad, cost, onCost }: OutcomeProps): ReactNode {
  switch (state.phase) {
    case 'none':
      return null
    case 'running':
      return <Running startedMs={state.startedMs} />
    case 'failed':
      return state.error.kind === 'database-missing' ? (
        <NoSuchDatabase message={state.error.message} />
      ) : (
        <ErrorNotice error={state.error} />
      )
    case 'cancelled':
      return <Cancelled state={state} />
    case 'done': {
      const { outcome, query, count, times } = state
      switch (outcome.outcome) {
        case 'results':
          return (
            <Results
              query={query}
              page={outcome.page}
              run={count}
              times={times}
              earlier={timed.filter((each) => each.count < count)}
              isText={isText}
              onText={onText}
              onRun={onRun}
              cost={cost}
              onCost={onCost}
            />
          )
        case 'preview':
          return (
            <>
              {outcome.total === 0 ? <NoSuchCollection query={query} endedMs={times.endedMs} /> : null}
              <PatchResult key={count} query={query} preview={outcome} onRun={onRun} />
            </>
          )
        case 'needs-index':
          return (
            <>
              {(outcome.documents ?? 0) > 0 ? null : <NoSuchCollection query={query} endedMs={times.endedMs} />}
              <NeedsIndex key={count} query={query} needs={outcome} onRun={onRun} />
            </>
          )
        case 'refused':
          return outcome.place === null ? (
            <ErrorNotice error={{ ...outcome.error, message: outcome.message, hint: '' }} />
          ) : null
        case 'unloaded':
          return (
            <Notice
              tone="info"
              title="The database is not loaded, so the query was not sent."
              actions={<Button onClick={onLoad}>Load it and run</Button>}
            >
              <p>Loading takes memory on the server, until the database is idle again.</p>
            </Notice>
          )
      }
    }
  }
}

function Running({ startedMs }: { readonly startedMs: number }): ReactNode {
  return <Spinner>Running for {formatDuration(spanFromMs(Math.max(0, useNow() - startedMs)))}</Spinner>
}

function Cancelled({ state }: { readonly state: Extract<RunState, { readonly phase: 'cancelled' }> }): ReactNode {
  const { server, running, query } = state
  return (
    <Notice
      tone={server === 'runs' ? 'warn' : 'info'}
      title={`The query was cancelled here. ${ON_SERVER[server ?? 'reading']}`}
    >
      {running.map(({ id, index }) => (
        <ActionButton
          key={id}
          action="query.kill"
          target={{ kind: 'query', database: query.database, name: queryName(id, index) }}
        />
      ))}
    </Notice>
  )
}

const ON_SERVER = {
  reading: 'Whether the server has stopped is being read.',
  stopped: 'The server has stopped it.',
  runs: 'The server still runs it.',
  unknown: 'Whether the server has stopped is not known.',
} as const
