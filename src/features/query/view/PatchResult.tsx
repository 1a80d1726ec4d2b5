import { useState, type ReactNode } from 'react'
import { ActionButton } from '../../../actions/view/ActionButton.tsx'
import { indented } from '../../../base/json/exact.ts'
import { formatPlural } from '../../../base/text/format.ts'
import { Select } from '../../../ui/controls/Select.tsx'
import { Diff } from '../../../ui/editor/Editor.tsx'
import { byQueryInputs } from './by-query-inputs.ts'
import { CHANGES_BY_QUERY, DoneNotice, useDoneSince } from './DoneSince.tsx'
import type { PatchPreview, QueryText } from '../contract.ts'

/** Maximum number of other documents that are named. */
const MOST_OTHERS = 10

interface PatchResultProps {
  readonly query: QueryText
  readonly preview: Extract<PatchPreview, { readonly outcome: 'preview' }>
  readonly onRun: () => void
}

/** Number of documents that a patch finds, its effect on the first ones, and a button to run it. */
export function PatchResult({ query, preview, onRun }: PatchResultProps): ReactNode {
  const done = useDoneSince(query.database, CHANGES_BY_QUERY)
  const { total, isMost, changes, isStale, index } = preview
  const [chosen, setChosen] = useState('')
  const shown = changes.find(({ id }) => id === chosen) ?? changes[0]
  const unchanged = changes.filter(
    ({ before, after, error, others, isGone }) => error === null && !isGone && before === after && others.length === 0,
  ).length
  if (done !== null)
    return (
      <DoneNotice
        title="Documents were changed since this preview was read."
        entry={done}
        button="Preview again"
        onRun={onRun}
      />
    )
  return (
    <section className="stack" aria-label="Preview of the patch">
      <div className="row">
        <p role="status">
          {isMost ? 'At most ' : ''}
          {formatPlural(total, 'document')} found by {index}. Nothing was changed.
          {unchanged === 0 ? '' : ` The patch leaves ${unchanged} of the ${changes.length} below as they are.`}
        </p>
        <span className="push" />
        {total === 0 ? null : (
          <ActionButton
            action="database.patch-by-query"
            target={{ kind: 'database', database: query.database, name: null }}
            inputs={byQueryInputs(query, total, isMost)}
          />
        )}
      </div>
      {isStale ? (
        <p role="alert">The index is stale: the server refuses the patch until the index is up to date.</p>
      ) : null}
      {shown === undefined ? null : (
        <>
          <Select
            label="Document"
            value={shown.id}
            options={changes.map(({ id, error, isGone }) => ({
              value: id,
              text: isGone ? `${id}: deleted meanwhile` : error === null ? id : `${id}: fails`,
            }))}
            onChange={setChosen}
          />
          {shown.others.length === 0 ? null : (
            <p role="status">
              For <bdi>{shown.id}</bdi>, the script also <bdi>{shown.others.slice(0, MOST_OTHERS).join(', ')}</bdi>
              {shown.others.length > MOST_OTHERS ? ` and ${shown.others.length - MOST_OTHERS} more` : ''}.
            </p>
          )}
          {shown.isGone ? (
            <p role="status">
              <bdi>{shown.id}</bdi> was deleted since the query found it.
            </p>
          ) : shown.error === null ? (
            <Diff
              label={`What the patch makes of ${shown.id}`}
              beforeName="Now"
              afterName="Patched"
              before={indented(shown.before)}
              after={indented(shown.after)}
              language="json"
            />
          ) : (
            <p role="alert">
              The script fails for <bdi>{shown.id}</bdi>: <bdi>{shown.error}</bdi>
            </p>
          )}
        </>
      )}
    </section>
  )
}
