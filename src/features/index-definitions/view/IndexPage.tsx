import { useState, type ReactNode } from 'react'
import { isSettled } from '../../../actions/client/activity-entry.ts'
import { CaptureError } from '../../../capture/client/client.ts'
import type { ErrorInfo } from '../../../capture/client/state.ts'
import { useCapture } from '../../../capture/client/view.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Diff } from '../../../ui/editor/Editor.tsx'
import { ErrorNotice, Notice } from '../../../ui/Notice.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import { refusalBeforeSave } from '../before-save.ts'
import type { DefinitionFault, SavedDefinition, TestOutcome } from '../contract.ts'
import { definitionProblem, faultsOf, isScript, wholeText } from '../definition-text.ts'
import { Compare } from './Compare.tsx'
import { DefinitionEditors } from './DefinitionEditors.tsx'
import { DocumentErrors } from './DocumentErrors.tsx'
import { Terms } from './Terms.tsx'
import { TestResults } from './TestResults.tsx'
import { useDefinition } from './useDefinition.ts'
import { useSave } from './useSave.ts'
import styles from './indexes.module.css'

/** Documents of a sample, of each collection. */
const SAMPLE = 100
const NO_FAULTS: readonly DefinitionFault[] = []

interface IndexPageProps {
  readonly database: string
  /** Empty: a new one. */
  readonly index: string
  readonly saved: SavedDefinition
  /** Names of the other indexes. */
  readonly others: readonly string[]
  /** Errors that the server keeps of it. */
  readonly errors: number
  readonly onSaved: (name: string) => void
  /** The server has another definition than `saved`. */
  readonly onReread: () => void
}

type Part = 'changes' | 'compare' | 'terms' | 'errors'

/** Page of an index: its definition as text, compile errors at their lines, a test on a sample, and saving. */
export function IndexPage({ database, index, saved, others, errors, onSaved, onReread }: IndexPageProps): ReactNode {
  const capture = useCapture()
  const draft = useDefinition(database, index, saved)
  const { name, definition, isTyped } = draft
  const { refusal, entry, isSending, save } = useSave(database, definition)
  const [part, setPart] = useState<Part | null>(null)
  const [faults, setFaults] = useState(NO_FAULTS)
  const [tested, setTested] = useState<Extract<TestOutcome, { readonly outcome: 'tested' }> | null>(null)
  const [error, setError] = useState<ErrorInfo | null>(null)
  const [isReading, setReading] = useState(false)
  const [why, setWhy] = useState<string | null>(null)
  const [isTesting, setTesting] = useState(false)
  const isBusy = isSending || isReading
  const problem = definitionProblem(name, definition)
  const isNew = index === ''
  const isAuto = index.startsWith('Auto/')
  const toggle = (next: Part): void => setPart(part === next ? null : next)

  const test = async (): Promise<void> => {
    setTesting(true)
    setFaults(NO_FAULTS)
    setTested(null)
    setError(null)
    try {
      const outcome = await capture.request('definitions.test', { database, definition, documents: SAMPLE })
      if (outcome.outcome === 'faults') setFaults(outcome.faults)
      else setTested(outcome)
    } catch (thrown) {
      if (thrown instanceof CaptureError) setError(thrown.info)
    }
    setTesting(false)
  }
  const saveNow = async (): Promise<void> => {
    setFaults(NO_FAULTS)
    setError(null)
    setWhy(null)
    setReading(true)
    try {
      const params = { database, index: name.trim() }
      const now = await capture.request('definitions.read', params)
      const refused = now.loaded ? refusalBeforeSave(name.trim(), isNew ? null : saved, now.definition) : null
      if (refused !== null) {
        setWhy(refused)
        if (!isNew) onReread()
        return
      }
    } catch (thrown) {
      if (thrown instanceof CaptureError) setError(thrown.info)
      return
    } finally {
      setReading(false)
    }
    const sent = await save(name.trim(), definition, isNew)
    const refused = sent?.error ?? null
    if (refused === null) {
      if (sent === null) return
      draft.settle(definition)
      setPart(null)
      onSaved(name.trim())
      return
    }
    const found = faultsOf(refused.serverMessage ?? '', definition).filter(({ place }) => place !== null)
    setFaults(found)
    if (found.length === 0) setError(refused)
  }

  return (
    <section className={styles.parts} aria-label={isNew ? 'New index' : `Definition of ${index}`}>
      <div className="row">
        <h2>{isNew ? 'New index' : <bdi>{index}</bdi>}</h2>
        <span className="faint">
          {isAuto ? 'automatic: the server makes and extends it' : isScript(definition) ? 'JavaScript' : 'C#'}
          {isTyped ? ', changed here and not saved' : ''}
        </span>
        <span className="push" />
        {isNew ? null : (
          <>
            <Button small aria-expanded={part === 'terms'} onClick={() => toggle('terms')}>
              Terms
            </Button>
            <Button small aria-expanded={part === 'errors'} onClick={() => toggle('errors')}>
              Errors
            </Button>
          </>
        )}
        <Button small aria-expanded={part === 'compare'} onClick={() => toggle('compare')}>
          Compare
        </Button>
      </div>
      {saved.isStale === true ? (
        <Notice tone="info" title="It is stale.">
          <ul>
            {saved.reasons.map((reason) => (
              <li key={reason}>
                <bdi>{reason}</bdi>
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
      {part === 'terms' ? <Terms database={database} index={index} /> : null}
      {part === 'errors' ? <DocumentErrors database={database} index={index} count={errors} /> : null}
      {part === 'compare' ? <Compare database={database} definition={definition} name={name} others={others} /> : null}
      <DefinitionEditors draft={draft} isNew={isNew} isReadOnly={isAuto} faults={faults} onRun={() => void test()} />
      {faults.length === 0 ? null : (
        <ul role="alert">
          {faults.map(({ part: where, message }) => (
            <li key={`${where} ${message}`}>
              {where === null ? '' : where === 'reduce' ? 'Reduce: ' : `Map ${where + 1}: `}
              <bdi>{message}</bdi>
            </li>
          ))}
        </ul>
      )}
      {error === null ? null : <ErrorNotice error={error} />}
      {why === null ? null : <p role="alert">{why}</p>}
      {isAuto ? null : (
        <div className="row">
          <Button disabled={problem !== null || isTesting} title={problem ?? undefined} onClick={() => void test()}>
            {isTesting ? 'Testing' : `Test on ${SAMPLE} documents`}
          </Button>
          <Button
            tone="primary"
            disabled={problem !== null || refusal !== null || !isTyped || isBusy}
            title={problem ?? refusal ?? (isTyped ? undefined : 'Nothing was changed.')}
            aria-expanded={part === 'changes'}
            onClick={() => (isNew ? void saveNow() : toggle('changes'))}
          >
            {isNew ? 'Save' : 'Save …'}
          </Button>
          <Button disabled={!isTyped} onClick={draft.discard}>
            Discard changes
          </Button>
          {entry === null || isSettled(entry) ? null : (
            <span role="status">
              {entry.text} {entry.error === null ? '' : entry.error.message}
            </span>
          )}
        </div>
      )}
      {part === 'changes' ? (
        <div className={cx('stack')}>
          <Diff
            label="Changes of the definition"
            beforeName="On the server"
            afterName="Here"
            before={wholeText(saved)}
            after={wholeText(definition)}
            language={isScript(definition) ? 'javascript' : 'csharp'}
          />
          <p>
            Where it changes what is indexed, the server builds the new one beside the old one, which answers until
            then. It is saved if no client has changed the left side since it was read.
          </p>
          <div>
            <Button tone="primary" disabled={isBusy || refusal !== null} onClick={() => void saveNow()}>
              Save index
            </Button>
          </div>
        </div>
      ) : null}
      {tested === null ? null : <TestResults tested={tested} />}
    </section>
  )
}
