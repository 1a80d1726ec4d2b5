import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { formatDateTime, formatPlural } from '../../../base/text/format.ts'
import { parseTicks } from '../../../base/ticks.ts'
import { errorInfoOf, requestOptions } from '../../../capture/client/requests/queries.ts'
import { useCapture, useView } from '../../../capture/client/view.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { Diff } from '../../../ui/editor/Editor.tsx'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import type { DefinitionText, PastDefinition } from '../contract.ts'
import { isScript, wholeText, withSettingsOf } from '../definition-text.ts'

interface HistoryProps {
  readonly database: string
  readonly index: string
  /** Definition on the server. */
  readonly saved: DefinitionText
  /** Whether the definition is being saved, so that `saved` will soon change. */
  readonly isBusy: boolean
  /** Puts a definition into the editor without saving it. */
  readonly onTake: (definition: DefinitionText) => void
}

/** Earlier definitions of the index, each compared with the current one, with a button to restore it. */
export function History({ database, index, saved, isBusy, onTake }: HistoryProps): ReactNode {
  const { clock } = useView().view
  const { data, error } = useQuery({
    ...requestOptions(useCapture(), 'definitions.history', { database, index }),
    staleTime: 0,
  })
  const [chosen, setChosen] = useState<string | null>(null)
  const info = errorInfoOf('definitions.history', error)
  if (info !== null) return <ErrorNotice error={info} />
  if (data === undefined) return <Spinner>Reading the history</Spinner>
  if (!data.loaded) return null
  const past = data.past.map(({ at, node, definition }): PastDefinition => ({
    at,
    node,
    definition: withSettingsOf(definition, saved),
  }))
  const isNow = (each: PastDefinition): boolean => wholeText(each.definition) === wholeText(saved)
  const shown = past.find(({ at }) => at === chosen) ?? past.find((each) => !isNow(each)) ?? past[0]
  if (shown === undefined) return <p role="status">The server keeps no history of it.</p>
  const wordsOf = (each: PastDefinition): string =>
    [
      formatDateTime(parseTicks(each.at), clock, 0),
      ...(each.node === '' ? [] : [each.node]),
      ...(isNow(each) ? ['as it is now'] : []),
    ].join(', ')
  return (
    <section className="stack" aria-label="History of the definition">
      <div className="row">
        <Select
          label="Saved at"
          value={shown.at}
          options={past.map((each) => ({ value: each.at, text: wordsOf(each) }))}
          onChange={setChosen}
        />
        <span role="status">{formatPlural(past.length, 'definition')}, newest first.</span>
        <span className="push" />
        <Button
          disabled={isBusy || isNow(shown)}
          title={isNow(shown) ? 'The index has this definition.' : undefined}
          onClick={() => onTake(shown.definition)}
        >
          Restore …
        </Button>
      </div>
      <Diff
        label="Difference from an earlier definition"
        beforeName={wordsOf(shown)}
        afterName="On the server now"
        before={wholeText(shown.definition)}
        after={wholeText(saved)}
        language={isScript(saved) ? 'javascript' : 'csharp'}
      />
    </section>
  )
}
