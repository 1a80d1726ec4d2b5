import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { indented } from '../../../base/json/exact.ts'
import { AttemptFailure } from '../../../capture/frame/notices/AttemptFailure.tsx'
import { PanelLink } from '../../../capture/frame/PanelLink.tsx'
import { errorInfoOf, requestOptions } from '../../../capture/client/requests/queries.ts'
import { useAttempt } from '../../../capture/client/requests/useAttempt.ts'
import { useCapture } from '../../../capture/client/view.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { RowTable, type RowColumn } from '../../../ui/table/RowTable.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import type { DefinitionFault, DefinitionText, ProbedField, ProbeOutcome } from '../contract.ts'
import { mapShapeOf, pathsOf, valueAt, type MapField } from '../map-fields.ts'
import { useTestRefusal } from './useTest.ts'
import styles from './indexes.module.css'
import type {} from '../../documents/contract.ts'
import type {} from '../../query/contract.ts'

interface FailingDocumentProps {
  readonly database: string
  readonly id: string
  /** Number of the map that failed, from 0. */
  readonly map: number
  /** Definition in the editors, so that a fix can be tried before it is saved. */
  readonly definition: DefinitionText
  /** Marks the failing parts in the editors above. */
  readonly onFaults: (faults: readonly DefinitionFault[]) => void
}

/** A document for which a map fails: values that each field reads, the failing field, the document. */
export function FailingDocument(props: FailingDocumentProps): ReactNode {
  const { database, id, map, definition, onFaults } = props
  const capture = useCapture()
  const { data, error } = useQuery({
    ...requestOptions(capture, 'query.run', {
      database,
      text: 'from @all_docs where id() = $id',
      parameters: JSON.stringify({ id }),
      start: 0,
      pageSize: 1,
    }),
    staleTime: 0,
  })
  const { attempt, failure } = useAttempt()
  const [probe, setProbe] = useState<{ readonly of: DefinitionText; readonly outcome: ProbeOutcome } | null>(null)
  const testRefusal = useTestRefusal()
  const [isTrying, setTrying] = useState(false)
  const shape = mapShapeOf(definition.maps[map] ?? '')
  const outcome = probe?.of === definition ? probe.outcome : null

  const tryFields = async (): Promise<void> => {
    setTrying(true)
    await attempt('Not tried', async () => {
      const found = await capture.request('definitions.probe', { database, definition, map, id })
      setProbe({ of: definition, outcome: found })
      onFaults(faultsIn(found, shape?.fields ?? [], map))
    })
    setTrying(false)
  }

  const info = errorInfoOf('query.run', error)
  if (info !== null) return <ErrorNotice error={info} />
  if (data === undefined) return <Spinner>Reading the document</Spinner>
  if (data.outcome === 'unloaded') return <p role="status">The database is not loaded.</p>
  if (data.outcome === 'refused') return <p role="alert">{data.message}</p>
  const [row] = data.outcome === 'results' ? data.page.rows : []
  if (row === undefined)
    return (
      <p role="status">
        The document <bdi>{id}</bdi> does not exist any more, so that it fails no longer.
      </p>
    )
  return (
    <section className="stack" aria-label={`Why ${id} fails`}>
      <div className="row">
        <h3>
          <bdi>{id}</bdi> in {definition.maps.length > 1 ? `map ${map + 1}` : 'the map'}
        </h3>
        <span className="push" />
        {shape === null ? null : (
          <Button
            disabled={testRefusal !== null || isTrying}
            title={testRefusal ?? undefined}
            onClick={() => void tryFields()}
          >
            {isTrying ? 'Trying each field' : 'Find the failing field'}
          </Button>
        )}
        <PanelLink panel="documents" parts={{ database, params: { 'documents.id': id } }}>
          Open the document
        </PanelLink>
      </div>
      <AttemptFailure of={failure} />
      {outcome === null ? null : <p role="status">{wordsOf(outcome)}</p>}
      {shape === null ? null : (
        <RowTable<FieldRow>
          label="Fields of the map"
          rows={shape.fields.map((field, i) => ({
            name: field.name,
            expression: field.expression,
            reads: readsOf(field, shape.variable, row),
            alone: outcome?.outcome === 'probed' ? (outcome.fields[i] ?? null) : null,
          }))}
          keyOf={({ name, expression }) => `${name} ${expression}`}
          columns={outcome?.outcome === 'probed' ? PROBED_COLUMNS : FIELD_COLUMNS}
        />
      )}
      <pre className={cx('raised', styles.text)} tabIndex={0} aria-label={`Document ${id}`}>
        {indented(row)}
      </pre>
    </section>
  )
}

interface FieldRow extends Pick<MapField, 'name' | 'expression'> {
  /** Values that the expression reads. */
  readonly reads: string
  /** Result of the expression on its own; null: not tried. */
  readonly alone: ProbedField | null
}

const FIELD_COLUMNS: readonly RowColumn<FieldRow>[] = [
  { title: 'Field', cell: ({ name }) => <bdi>{name}</bdi> },
  { title: 'Expression', cell: ({ expression }) => <code>{expression}</code> },
  { title: 'Reads', cell: ({ reads }) => reads },
]

const PROBED_COLUMNS: readonly RowColumn<FieldRow>[] = [
  ...FIELD_COLUMNS,
  {
    title: 'Alone',
    cell: ({ alone }) =>
      alone?.fails === true ? <span className={styles.bad}>fails: {alone.text}</span> : <code>{alone?.text}</code>,
  },
]

/** Maximum length of a value shown beside a path, UTF-16 units. */
const MOST_UNITS = 60

const readsOf = ({ expression }: MapField, variable: string, document: string): string =>
  pathsOf(expression, variable)
    .map((path) => {
      const value = valueAt(document, path)
      return `${path}: ${value === null ? 'missing' : value.length > MOST_UNITS ? `${value.slice(0, MOST_UNITS)}…` : value}`
    })
    .join(', ')

function faultsIn(outcome: ProbeOutcome, fields: readonly MapField[], map: number): readonly DefinitionFault[] {
  if (outcome.outcome === 'faults') return outcome.faults.map((fault) => ({ ...fault, part: null, place: null }))
  if (outcome.outcome !== 'probed') return []
  return outcome.fields.flatMap(({ text, fails }, i): DefinitionFault[] => {
    const field = fields[i]
    return !fails || field === undefined
      ? []
      : [{ part: map, message: `${field.name}: ${text}`, place: { from: field.from, to: field.to } }]
  })
}

function wordsOf(outcome: ProbeOutcome): string {
  switch (outcome.outcome) {
    case 'before':
      return 'It fails before the fields: in a let, a where, or another clause between the source and the fields.'
    case 'not-reached':
      return 'The server did not come to this document in its sample of 10,000, or a where leaves it out.'
    case 'faults':
      return 'The definition as it is typed does not compile.'
    case 'probed': {
      const failing = outcome.fields.filter(({ fails }) => fails).map(({ name }) => name)
      return failing.length === 0
        ? 'Each field of the map as it is typed can be computed on this document.'
        : `${failing.join(', ')} ${failing.length === 1 ? 'fails' : 'fail'} on this document; marked in the map.`
    }
  }
}
