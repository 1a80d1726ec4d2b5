import { useState, type ReactNode } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Diff } from '../../../../ui/editor/Editor.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import styles from '../documents.module.css'
import { Notice } from '../../../../ui/Notice.tsx'
import { mergeBoth } from '../../data/merge.ts'
import type { Base } from './useEditing.ts'

interface ConflictProps {
  /** Text from which the edit began. */
  readonly base: string
  readonly mine: string
  /** Version that another client has saved. */
  readonly theirs: Base
  /** Called with the resolved text, based on their version. The user then saves it as usual. */
  readonly onResolve: (text: string) => void
  readonly onClose: () => void
}

/** Compares base, mine and theirs: what other clients changed, and what a save would overwrite. Saves nothing. */
export function Conflict({ base, mine, theirs, onResolve, onClose }: ConflictProps): ReactNode {
  const [start, setStart] = useState(mine)
  const [result, setResult] = useState(mine)
  const merged = mergeBoth(base, mine, theirs.text)
  const begin = (text: string): void => {
    setStart(text)
    setResult(text)
  }
  return (
    <section className={cx('stack', styles.conflict)} aria-label="Conflict">
      <Notice
        tone="warn"
        title="Another client has changed this document since it was read."
        actions={
          <>
            {merged === null ? null : <Button onClick={() => begin(merged)}>Merge both</Button>}
            <Button onClick={() => begin(theirs.text)}>Take theirs</Button>
            <Button onClick={() => begin(mine)}>Take mine</Button>
            <Button tone="primary" onClick={() => onResolve(result)}>
              Continue with the text on the right
            </Button>
            <Button tone="quiet" onClick={onClose}>
              Close
            </Button>
          </>
        }
      >
        <p>
          {merged === null
            ? 'Both changed the same lines: choose below, change by change.'
            : 'The changes are in different lines and can be merged.'}{' '}
          Nothing is saved before you save it.
        </p>
      </Notice>
      <h3>What they changed</h3>
      <Diff
        label="Their changes"
        beforeName="As you read it"
        afterName="Theirs"
        before={base}
        after={theirs.text}
        language="json"
      />
      <h3>What would be saved over theirs</h3>
      <Diff
        key={start}
        label="Result"
        beforeName="Theirs"
        afterName="Result"
        before={theirs.text}
        after={start}
        language="json"
        onChange={setResult}
      />
    </section>
  )
}
