import type { ReactNode } from 'react'
import { Segmented } from '../../../../ui/controls/Segmented.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import type { OpenedDocument } from '../../contract.ts'
import styles from '../documents.module.css'
import type { DocumentsSettings } from '../params.ts'
import { AttachmentsPart } from '../parts/AttachmentsPart.tsx'
import { CountersPart } from '../parts/CountersPart.tsx'
import { ReferencesPart } from '../parts/ReferencesPart.tsx'
import { RevisionsPart } from '../parts/RevisionsPart.tsx'
import { SeriesPart } from '../parts/SeriesPart.tsx'
import { TreePart } from '../parts/TreePart.tsx'

type Part = DocumentsSettings['part']

const counted = (title: string, { length }: readonly unknown[]): string =>
  length === 0 ? title : `${title} (${String(length)})`

interface PartChoiceProps {
  readonly opened: OpenedDocument
  readonly part: Part
  readonly onChoose: (part: Part) => void
}

export const PartChoice = ({ opened, part, onChoose }: PartChoiceProps): ReactNode => (
  <div className={cx('row', styles.parts)}>
    <Segmented<Part>
      label="Part of the document"
      value={part}
      onChange={onChoose}
      options={[
        { value: 'text', text: 'Text' },
        { value: 'tree', text: 'Tree' },
        { value: 'references', text: 'References' },
        { value: 'revisions', text: 'Revisions' },
        { value: 'attachments', text: counted('Attachments', opened.attachments) },
        { value: 'counters', text: counted('Counters', opened.counters) },
        { value: 'series', text: counted('Time series', opened.series) },
      ]}
    />
  </div>
)

interface DocumentPartsProps {
  readonly database: string
  readonly opened: OpenedDocument
  /** Current text of the editor. */
  readonly text: string
  readonly part: Exclude<Part, 'text'>
  /** Puts the text of a revision into the editor. */
  readonly onRevert: (text: string) => void
  /** Called when attachments, counters or time series, and with them the document, were changed. */
  readonly onChanged: () => void
}

export function DocumentParts({ database, opened, text, part, onRevert, onChanged }: DocumentPartsProps): ReactNode {
  switch (part) {
    case 'tree':
      return <TreePart text={text} />
    case 'references':
      return <ReferencesPart database={database} id={opened.id} />
    case 'revisions':
      return <RevisionsPart database={database} opened={opened} onRevert={onRevert} />
    case 'attachments':
      return <AttachmentsPart database={database} opened={opened} onChanged={onChanged} />
    case 'counters':
      return <CountersPart database={database} opened={opened} onChanged={onChanged} />
    case 'series':
      return <SeriesPart database={database} opened={opened} onChanged={onChanged} />
  }
}
