import { useState, type ReactNode, type RefObject } from 'react'
import { isFinished, isSettled } from '../../../actions/client/activity-entry.ts'
import { memberOf, plainText } from '../../../base/json/exact.ts'
import { quoted } from '../../../base/rql/shape.ts'
import { ClosedNotice } from '../../../capture/frame/notices/ClosedNotice.tsx'
import { LoadDatabase } from '../../../capture/frame/notices/LoadDatabase.tsx'
import { DraftNotices } from '../../../capture/frame/notices/DraftNotices.tsx'
import { PanelLink } from '../../../capture/frame/PanelLink.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { useDiffAhead } from '../../../ui/editor/Editor.tsx'
import { useFocusWhenLost } from '../../../ui/hooks/useFocusOnMount.ts'
import { ErrorNotice, Notice } from '../../../ui/Notice.tsx'
import type { DefinitionFault, DefinitionText, SavedDefinition } from '../contract.ts'
import { copyOf, definitionProblem, isScript } from '../definition-text.ts'
import { Compare } from './Compare.tsx'
import { DefinitionEditors } from './DefinitionEditors.tsx'
import { DocumentErrors } from './DocumentErrors.tsx'
import { DocumentInIndex } from './DocumentInIndex.tsx'
import { Faults } from './Faults.tsx'
import { History } from './History.tsx'
import { MakeStatic } from './MakeStatic.tsx'
import { SavePart } from './SavePart.tsx'
import { Terms } from './Terms.tsx'
import { TestResults } from './TestResults.tsx'
import { useDefinition } from './useDefinition.ts'
import { useSaving, type Saving } from './useSaving.ts'
import { SAMPLE, useTest, useTestRefusal } from './useTest.ts'
import styles from './indexes.module.css'
import type {} from '../../query/contract.ts'

const NO_FAULTS: readonly DefinitionFault[] = []

interface IndexPageProps {
  /** Id of the server; drafts are kept per server. */
  readonly server: string
  readonly database: string
  /** Name of the index; empty for a new one. */
  readonly index: string
  readonly saved: SavedDefinition
  /** Names of the other indexes. */
  readonly others: readonly string[]
  /** Number of errors that the server keeps of the index. */
  readonly errors: number
  /** Whether the index is stale according to the list, which is polled; `saved` was read once. */
  readonly isStale: boolean
  readonly onSaved: (name: string) => void
  /** Called when the definition on the server differs from `saved`. */
  readonly onReread: () => void
  /** Opens a new index that starts with this definition. */
  readonly onBegin: (name: string, definition: DefinitionText) => void
}

const PARTS = [
  ['terms', 'Terms'],
  ['errors', 'Errors'],
  ['document', 'Document'],
  ['history', 'History'],
  ['compare', 'Compare'],
] as const
type Part = (typeof PARTS)[number][0] | 'changes'

/** Page of an index: its definition as text, compile errors at their lines, a test on a sample, and saving. */
export function IndexPage(props: IndexPageProps): ReactNode {
  const { server, database, index, saved, others, errors, isStale, onSaved, onReread, onBegin } = props
  const place = { kind: 'index', server, database, id: index } as const
  const draft = useDefinition(place, saved)
  const { name, definition, isTyped, isBehind } = draft
  const titleRef = useFocusWhenLost<HTMLHeadingElement>()
  useDiffAhead(isTyped)
  const [part, setPart] = useState<Part | null>(null)
  const [faults, setFaults] = useState(NO_FAULTS)
  const { tested, error: testError, isTesting, test } = useTest(database, definition, setFaults)
  const isNew = index === ''
  const isAuto = isAutomatic(index)
  const saving = useSaving({
    database,
    name,
    saved: isNew ? null : saved,
    definition,
    onFaults: setFaults,
    onSaved: () => {
      draft.settle(definition)
      setPart(null)
      onSaved(name.trim())
      // The save button disappeared together with the changes.
      titleRef.current?.focus()
    },
    onReread,
  })
  const problem = definitionProblem(name, definition)
  const testProblem = useTestRefusal() ?? problem
  const saveProblem = problem ?? saving.refusal ?? (isTyped ? null : 'Nothing was changed.')
  const error = testError ?? saving.error
  const toggle = (next: Part): void => setPart(part === next ? null : next)

  return (
    <section className={styles.parts} aria-label={isNew ? 'New index' : `Definition of ${index}`}>
      <div className="row">
        <IndexTitle titleRef={titleRef} index={index} definition={definition} isTyped={isTyped} />
        <span className="push" />
        {isNew ? null : (
          <PanelLink panel="query" parts={{ params: { 'query.text': `from index ${quoted(index)}` } }}>
            Query
          </PanelLink>
        )}
        {isAuto ? <MakeStatic database={database} index={index} onBegin={onBegin} /> : null}
        {isNew || isAuto ? null : (
          <Button
            small
            disabled={problem !== null}
            title={problem ?? 'A new index with this definition, without its lock mode, priority and state.'}
            onClick={() => onBegin(`${index}/Copy`, copyOf(definition))}
          >
            Clone
          </Button>
        )}
        {PARTS.filter(([id]) => (isNew ? id === 'compare' : !isAuto || id !== 'history')).map(([id, title]) => (
          <Button key={id} small aria-expanded={part === id} onClick={() => toggle(id)}>
            {title}
          </Button>
        ))}
      </div>
      <DraftNotices place={place} />
      <ClosedNotice database={database}>
        {isTyped
          ? 'The definition is still here, and what you typed is kept as a draft.'
          : 'The definition is still here.'}
      </ClosedNotice>
      {isBehind ? (
        <Notice
          tone="warn"
          title="Another client has changed the definition since you began."
          actions={<Button onClick={draft.rebase}>Keep mine</Button>}
        >
          <p>Save … shows what it changed, before anything is saved.</p>
        </Notice>
      ) : null}
      {isStale ? <Staleness saved={saved} /> : null}
      {part === 'terms' ? <Terms database={database} index={index} /> : null}
      {part === 'errors' ? (
        <DocumentErrors database={database} index={index} count={errors} definition={definition} onFaults={setFaults} />
      ) : null}
      {part === 'document' ? (
        <DocumentInIndex database={database} index={index} isReduce={isReduceType(saved)} />
      ) : null}
      {part === 'history' ? (
        <History
          database={database}
          index={index}
          saved={saved}
          isBusy={saving.isBusy}
          onTake={(taken) => {
            draft.type(taken)
            setPart('changes')
          }}
        />
      ) : null}
      {part === 'compare' ? <Compare database={database} definition={definition} name={name} others={others} /> : null}
      <DefinitionEditors
        draft={draft}
        isNew={isNew}
        isReadOnly={isAuto}
        faults={faults}
        onRun={() => {
          if (testProblem === null && !isTesting) void test()
        }}
        onSave={() => {
          if (isAuto || saveProblem !== null || saving.isBusy) return
          if (isNew) void saving.saveNow()
          else setPart('changes')
        }}
      />
      <Faults faults={faults} />
      {error === null ? null : (
        <ErrorNotice
          error={error}
          actions={error.kind === 'database-unloaded' ? <LoadDatabase database={database} /> : undefined}
        />
      )}
      {isAuto ? null : (
        <div className="row">
          <Button
            disabled={testProblem !== null || isTesting}
            title={testProblem ?? 'Ctrl or ⌘ with Enter'}
            onClick={() => void test()}
          >
            {isTesting ? 'Testing' : `Test on ${SAMPLE} documents`}
          </Button>
          <Button
            tone="primary"
            disabled={saveProblem !== null || saving.isBusy}
            title={saveProblem ?? 'Ctrl or ⌘ with S'}
            aria-expanded={part === 'changes'}
            onClick={() => (isNew ? void saving.saveNow() : toggle('changes'))}
          >
            {isNew ? 'Save' : 'Save …'}
          </Button>
          <Button disabled={!isTyped} onClick={draft.discard}>
            Discard changes
          </Button>
        </div>
      )}
      {isTyped && saving.refusal !== null ? (
        <p className="note">{saving.refusal} What you type is kept as a draft.</p>
      ) : null}
      <SaveOutcome saving={saving} />
      {part === 'changes' ? <SavePart saved={saved} draft={draft} saving={saving} /> : null}
      {tested === null ? null : <TestResults tested={tested} />}
    </section>
  )
}

interface IndexTitleProps {
  readonly titleRef: RefObject<HTMLHeadingElement | null>
  readonly index: string
  readonly definition: Parameters<typeof isScript>[0]
  readonly isTyped: boolean
}

const IndexTitle = ({ titleRef, index, definition, isTyped }: IndexTitleProps): ReactNode => (
  <>
    <h2 ref={titleRef} tabIndex={-1}>
      {index === '' ? 'New index' : <bdi>{index}</bdi>}
    </h2>
    <span className="faint">
      {isAutomatic(index) ? 'automatic: the server makes and extends it' : isScript(definition) ? 'JavaScript' : 'C#'}
      {isTyped ? ', changed here and not saved' : ''}
    </span>
  </>
)

const isAutomatic = (index: string): boolean => index.startsWith('Auto/')

/** `MapReduce`, `AutoMapReduce`, `JavaScriptMapReduce`. */
const isReduceType = ({ json }: SavedDefinition): boolean =>
  json !== '' && plainText(memberOf(json, 'Type') ?? '').endsWith('MapReduce')

function Staleness({ saved: { isStale, reasons } }: { readonly saved: SavedDefinition }): ReactNode {
  return isStale === true ? (
    <Notice tone="info" title="It is stale.">
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>
            <bdi>{reason}</bdi>
          </li>
        ))}
      </ul>
    </Notice>
  ) : null
}

function SaveOutcome({ saving: { entry, why, crossed, isUnchecked } }: { readonly saving: Saving }): ReactNode {
  return (
    <>
      {why === null ? null : <p role="alert">{why}</p>}
      {entry === null || isSettled(entry) || (isFinished(entry) && entry.error !== null) ? null : (
        <p role="status">{entry.text}</p>
      )}
      {isUnchecked ? (
        <Notice tone="warn" title="Saved. Whether another client saved this index at the same moment is not known.">
          <p>Its history could not be read. History shows both definitions when it can be read again.</p>
        </Notice>
      ) : null}
      {crossed === null ? null : (
        <Notice
          tone="warn"
          title={
            crossed.wasFirst
              ? 'Another client saved a definition at the same moment, and yours replaced it.'
              : 'Another client saved a definition at the same moment, and it replaced yours.'
          }
        >
          <p>History has both: look at the difference, and restore what is missing.</p>
        </Notice>
      )}
    </>
  )
}
