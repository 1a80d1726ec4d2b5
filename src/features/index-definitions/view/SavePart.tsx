import { useEffect, useRef, type ReactNode } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { Diff } from '../../../ui/editor/Editor.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import type { SavedDefinition } from '../contract.ts'
import { isScript, wholeText } from '../definition-text.ts'
import type { useDefinition } from './useDefinition.ts'
import type { Saving } from './useSaving.ts'

interface SavePartProps {
  readonly saved: SavedDefinition
  readonly draft: ReturnType<typeof useDefinition>
  readonly saving: Saving
}

/** Changes that a save makes, concurrent changes by another client, and the save button. */
export function SavePart({ saved, draft, saving: { isBusy, refusal, saveNow } }: SavePartProps): ReactNode {
  const { definition, base, isBehind } = draft
  const { replacement } = saved
  const ref = useRef<HTMLElement>(null)
  // Tab then leads from the changes to the button below them.
  useEffect(() => ref.current?.focus(), [])
  const language = isScript(definition) ? 'javascript' : 'csharp'
  const common = { language, afterName: 'Here', after: wholeText(definition) } as const
  return (
    <section ref={ref} tabIndex={-1} className="stack" aria-label="Changes to be saved">
      {isBehind && base !== null ? (
        <Notice
          tone="warn"
          title="Another client has changed the definition since you began."
          actions={<Button onClick={draft.discard}>Discard mine</Button>}
        >
          <Diff
            label="Changes of the other client"
            language={language}
            beforeName="When you began"
            before={wholeText(base)}
            afterName="On the server now"
            after={wholeText(saved)}
          />
        </Notice>
      ) : null}
      {replacement === null ? null : (
        <Notice tone="warn" title="Another definition is being built to take the place of this one.">
          <p>A save throws it away. It differs from yours in this:</p>
          <Diff
            {...common}
            label="Differences from the replacement"
            beforeName="Being built"
            before={wholeText(replacement)}
          />
        </Notice>
      )}
      <Diff {...common} label="Changes of the definition" beforeName="On the server" before={wholeText(saved)} />
      <p>
        Where it changes what is indexed, the server builds the new one beside the old one, which answers until then. It
        is saved if no client has changed the left side since it was read.
      </p>
      <div>
        <Button tone="primary" disabled={isBusy || refusal !== null} onClick={() => void saveNow()}>
          {replacement !== null ? 'Save over the replacement' : isBehind ? 'Save over the other change' : 'Save index'}
        </Button>
      </div>
    </section>
  )
}
