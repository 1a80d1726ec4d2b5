import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { errorInfoOf, requestOptions } from '../../../capture/client/requests/queries.ts'
import { useCapture } from '../../../capture/client/view.ts'
import { Select } from '../../../ui/controls/Select.tsx'
import { Diff } from '../../../ui/editor/Editor.tsx'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import type { DefinitionText } from '../contract.ts'
import { isScript, wholeText } from '../definition-text.ts'

interface CompareProps {
  readonly database: string
  readonly name: string
  readonly definition: DefinitionText
  readonly others: readonly string[]
}

/** Compares the edited definition with that of another index. */
export function Compare({ database, name, definition, others }: CompareProps): ReactNode {
  const [other, setOther] = useState(others[0] ?? '')
  const { data, error } = useQuery({
    ...requestOptions(useCapture(), 'definitions.read', { database, index: other }),
    enabled: other !== '',
    staleTime: 10_000,
  })
  if (other === '') return <p className="note">There is no other index to compare with.</p>
  const info = errorInfoOf('definitions.read', error)
  const found = data?.loaded === true ? data.definition : null
  return (
    <section className="stack" aria-label="Comparison of definitions">
      <Select
        label="Compare with"
        value={other}
        options={others.map((value) => ({ value, text: value }))}
        onChange={setOther}
      />
      {info === null ? null : <ErrorNotice error={info} />}
      {found === null ? (
        info === null ? (
          <Spinner>Reading the definition</Spinner>
        ) : null
      ) : (
        <Diff
          label="Comparison of definitions"
          beforeName={other}
          afterName={name === '' ? 'New index' : name}
          before={wholeText(found)}
          after={wholeText(definition)}
          language={isScript(definition) ? 'javascript' : 'csharp'}
        />
      )}
    </section>
  )
}
