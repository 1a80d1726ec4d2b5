import type { ReactNode } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { TextField } from '../../../ui/controls/Field.tsx'
import { Editor } from '../../../ui/editor/Editor.tsx'
import type { EditorDiagnostic } from '../../../ui/editor/editor-types.ts'
import { useFocusOnMount } from '../../../ui/hooks/useFocusOnMount.ts'
import type { DefinitionFault } from '../contract.ts'
import { isScript } from '../definition-text.ts'
import type { useDefinition } from './useDefinition.ts'
import styles from './indexes.module.css'

interface DefinitionEditorsProps {
  readonly draft: ReturnType<typeof useDefinition>
  readonly isNew: boolean
  readonly isReadOnly: boolean
  readonly faults: readonly DefinitionFault[]
  readonly onRun: () => void
  readonly onSave: () => void
}

/** Editors for the parts of a definition. */
export function DefinitionEditors(props: DefinitionEditorsProps): ReactNode {
  const { draft, isNew, isReadOnly, faults, onRun, onSave } = props
  const { name, definition, type, rename } = draft
  const nameRef = useFocusOnMount<HTMLInputElement>()
  const { maps, reduce, sources, options } = definition
  const language = isScript(definition) ? 'javascript' : 'csharp'
  const marksOf = (part: DefinitionFault['part']): readonly EditorDiagnostic[] =>
    faults.flatMap(({ part: of, place, message }) =>
      of === part && place !== null ? [{ ...place, severity: 'error' as const, message }] : [],
    )
  const common = { isReadOnly, onRun, onSave }
  return (
    <>
      {isNew ? (
        <TextField ref={nameRef} label="Name" value={name} onChange={rename} placeholder="Orders/ByCompany" />
      ) : null}
      {maps.map((map, i) => {
        const title = maps.length === 1 ? 'Map' : `Map ${i + 1}`
        return (
          // oxlint-disable-next-line react/no-array-index-key -- maps have no identity but their place
          <div key={i} className={styles.part}>
            <div className="row">
              <h3>{title}</h3>
              {maps.length > 1 && !isReadOnly ? (
                <Button small onClick={() => type({ maps: maps.toSpliced(i, 1) })} aria-label={`Remove ${title}`}>
                  Remove
                </Button>
              ) : null}
            </div>
            <Editor
              {...common}
              label={title}
              text={map}
              language={language}
              diagnostics={marksOf(i)}
              onChange={(text) => type({ maps: maps.with(i, text) })}
            />
          </div>
        )
      })}
      {isReadOnly ? null : (
        <div className="row">
          <Button small onClick={() => type({ maps: [...maps, ''] })}>
            Add map
          </Button>
          {reduce === '' ? (
            <Button small onClick={() => type({ reduce: REDUCE })}>
              Add reduce
            </Button>
          ) : null}
          <Button
            small
            onClick={() => type({ sources: [...sources, { name: `Source${sources.length + 1}.cs`, text: '' }] })}
          >
            Add source
          </Button>
        </div>
      )}
      {reduce === '' ? null : (
        <div className={styles.part}>
          <div className="row">
            <h3>Reduce</h3>
            {isReadOnly ? null : (
              <Button small aria-label="Remove reduce" onClick={() => type({ reduce: '' })}>
                Remove
              </Button>
            )}
          </div>
          <Editor
            {...common}
            label="Reduce"
            text={reduce}
            language={language}
            diagnostics={marksOf('reduce')}
            onChange={(text) => type({ reduce: text })}
          />
        </div>
      )}
      {sources.map((source, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- a source is renamed while it is typed
        <div key={i} className={styles.part}>
          <div className="row">
            <TextField
              label={`Additional source ${i + 1}`}
              value={source.name}
              onChange={(text) => type({ sources: sources.with(i, { ...source, name: text }) })}
            />
            {isReadOnly ? null : (
              <Button
                small
                aria-label={`Remove ${source.name}`}
                onClick={() => type({ sources: sources.toSpliced(i, 1) })}
              >
                Remove
              </Button>
            )}
          </div>
          <Editor
            {...common}
            label={`Text of ${source.name}`}
            text={source.text}
            language={language}
            diagnostics={marksOf(`source ${i}`)}
            onChange={(text) => type({ sources: sources.with(i, { ...source, text }) })}
          />
        </div>
      ))}
      <div className={styles.part}>
        <h3>Options</h3>
        <Editor
          {...common}
          label="Options as JSON"
          text={options}
          language="json"
          onChange={(text) => type({ options: text })}
        />
        <p className="note">
          Fields, Configuration and the like, as the server has them. For full-text search of a field that is stored:{' '}
          <code>{FIELDS}</code>
        </p>
      </div>
    </>
  )
}

const FIELDS = '{ "Fields": { "Name": { "Indexing": "Search", "Storage": "Yes" } } }'

const REDUCE = 'from result in results\ngroup result by result.Company into g\nselect new\n{\n    Company = g.Key\n}'
