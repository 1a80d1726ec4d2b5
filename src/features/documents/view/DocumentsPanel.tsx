import { useState, type ReactNode } from 'react'
import { databaseKey } from '../../../base/text/database-key.ts'
import { useDatabaseScope } from '../../../capture/client/database-scope.ts'
import type { PanelProps } from '../../../capture/frame/panel.ts'
import { PanelFrame } from '../../../capture/frame/PanelFrame.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import { ImportSection } from './import/ImportSection.tsx'
import { DocumentHead } from './DocumentHead.tsx'
import { DocumentView } from './document/DocumentView.tsx'
import styles from './documents.module.css'
import { Drafts } from './Drafts.tsx'
import { DocumentList } from './list/DocumentList.tsx'
import { useOpen } from './useOpen.ts'

/** Documents of the database in scope: lists, a document, and drafts. */
export default function DocumentsPanel({ panel }: PanelProps): ReactNode {
  const { name: database } = useDatabaseScope()
  const { settings } = useOpen()
  const [showsDrafts, setShowsDrafts] = useState(false)
  const [showsImport, setShowsImport] = useState(false)
  if (database === null) return null
  const { id, isNew } = settings
  const isOne = isNew || id !== null
  return (
    <PanelFrame panel={panel} className={cx('column', styles.panel, isOne && styles.scrolls)}>
      <DocumentHead
        key={`head ${databaseKey(database)}`}
        database={database}
        showsDrafts={showsDrafts}
        onDrafts={() => setShowsDrafts(!showsDrafts)}
        showsImport={showsImport}
        onImport={() => setShowsImport(!showsImport)}
      />
      {showsDrafts ? <Drafts onOpen={() => setShowsDrafts(false)} /> : null}
      {showsImport ? <ImportSection database={database} /> : null}
      {isOne ? (
        <DocumentView
          key={`one ${databaseKey(database)} ${isNew ? '' : `/${id ?? ''}`}`}
          database={database}
          id={isNew ? null : id}
        />
      ) : (
        <DocumentList key={`list ${databaseKey(database)}`} database={database} />
      )}
    </PanelFrame>
  )
}
