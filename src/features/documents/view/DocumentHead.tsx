import { useState, type ReactNode } from 'react'
import { useServerKey } from '../../../actions/client/use-server-key.ts'
import { useDrafts } from '../../../capture/client/drafts/useDrafts.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { TextField } from '../../../ui/controls/Field.tsx'
import { useSaving } from './document/useSaving.ts'
import styles from './documents.module.css'
import { openDocument, useOpen } from './useOpen.ts'

interface DocumentHeadProps {
  readonly database: string
  readonly showsDrafts: boolean
  readonly onDrafts: () => void
  readonly showsImport: boolean
  readonly onImport: () => void
}

/** Ways to a document: by id, by a prefix of ids, a new document, and drafts. */
export function DocumentHead({ database, showsDrafts, onDrafts, showsImport, onImport }: DocumentHeadProps): ReactNode {
  const { settings, go } = useOpen()
  const [id, setId] = useState('')
  const [prefix, setPrefix] = useState(settings.prefix)
  const [listed, setListed] = useState(settings.prefix)
  // A collection was chosen, or the user went back in the history.
  if (listed !== settings.prefix) {
    setListed(settings.prefix)
    setPrefix(settings.prefix)
  }
  const { all } = useDrafts()
  const server = useServerKey()
  const { refusal } = useSaving(database)
  const drafts = (all ?? []).filter((draft) => draft.kind === 'document' && draft.server === server).length
  const isOne = settings.isNew || settings.id !== null
  return (
    <div className="row">
      {isOne ? (
        <Button icon="earlier" onClick={() => go({ id: null, isNew: false, part: 'text' })}>
          List
        </Button>
      ) : null}
      <form
        className="row tight"
        onSubmit={(event) => {
          event.preventDefault()
          // Spaces at either end are part of an id.
          if (id !== '') go(openDocument(id))
        }}
      >
        <div className={styles.field}>
          <TextField label="Go to id" hideLabel placeholder="Go to id" value={id} onChange={setId} />
        </div>
        <Button submits>Go</Button>
      </form>
      <form
        className="row tight"
        onSubmit={(event) => {
          event.preventDefault()
          go({ prefix, id: null, isNew: false })
        }}
      >
        <div className={styles.field}>
          <TextField
            label="Ids that begin with"
            hideLabel
            type="search"
            placeholder="Ids that begin with"
            value={prefix}
            onChange={(text) => {
              setPrefix(text)
              if (text === '' && settings.prefix !== '') go({ prefix: '' })
            }}
          />
        </div>
        <Button submits>Find</Button>
      </form>
      <span className="push" />
      <Button icon="history" aria-pressed={showsDrafts} onClick={onDrafts}>
        {`Drafts${drafts === 0 ? '' : ` (${String(drafts)})`}`}
      </Button>
      <Button aria-pressed={showsImport} onClick={onImport}>
        Import
      </Button>
      <Button
        icon="add"
        disabled={refusal !== null}
        title={refusal ?? undefined}
        onClick={() => go({ id: null, isNew: true, part: 'text' })}
      >
        New document
      </Button>
    </div>
  )
}
