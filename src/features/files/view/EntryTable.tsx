import type { ReactNode } from 'react'
import { formatBytes, formatCount } from '../../../base/text/format.ts'
import type { FileEntry, FileState, SourceId } from '../../../capture/client/state.ts'
import { MAX_SOURCES } from '../../../capture/client/state.ts'
import { useView } from '../../../capture/client/view.ts'
import { isPackedResponse } from '../../../ravendb/entry-names.ts'
import { usePanelOfFeed } from '../../../capture/frame/panel.ts'
import { StateDot } from '../../../ui/Badge.tsx'
import { TextField } from '../../../ui/controls/Field.tsx'
import { VirtualTable } from '../../../ui/table/VirtualTable.tsx'
import type { TableColumn } from '../../../ui/table/VirtualTable.tsx'
import type { TableSort } from '../../../ui/table/table-columns.ts'
import { filterEntries, sortEntries } from './entries.ts'
import { ENTRY_WORDS } from './words.ts'
import styles from './files.module.css'
import { useState } from 'react'
import { cx } from '../../../ui/theme/cx.ts'

const COLUMNS: readonly TableColumn[] = [
  { id: 'path', title: 'Entry', width: 180, grow: 1, sortable: true },
  { id: 'bytes', title: 'Size', width: 84, align: 'end', sortable: true },
  { id: 'state', title: 'Shown', width: 120, sortable: true },
]
const ROW_PX = 30

interface EntryTableProps {
  readonly file: FileState
  readonly filter: string
  readonly onFilter: (filter: string) => void
  readonly chosen: string | null
  readonly onChoose: (path: string) => void
}

/** Entries of a package: those with data for a panel, with a link, and those that can be read as text. */
export function EntryTable({ file, filter, onFilter, chosen, onChoose }: EntryTableProps): ReactNode {
  const [sort, setSort] = useState<TableSort | null>(null)
  const entries = sortEntries(filterEntries(file.entries, filter), sort)
  // Entries are replaced ten times a second while a package is read; their content changes only with this sum.
  const known = file.entries.reduce((sum, { phase }) => sum + (phase === 'listed' ? 0 : phase === 'reading' ? 1 : 2), 0)

  return (
    <section className={cx('column', styles.entries)} aria-label={`Entries of ${file.name}`}>
      <div className={cx('line', styles.entryTools)}>
        <TextField
          label="Filter entries by path"
          hideLabel
          type="search"
          placeholder="Filter by path"
          value={filter}
          onChange={onFilter}
        />
        <span className="faint" role="status">
          {filter === ''
            ? formatCount(entries.length)
            : `${formatCount(entries.length)} of ${formatCount(file.entries.length)}`}
        </span>
      </div>
      <div className={cx('raised', styles.table)}>
        <VirtualTable<FileEntry>
          label={`Entries of ${file.name}`}
          columns={COLUMNS}
          total={entries.length}
          rowHeightPx={ROW_PX}
          fetchRows={(offset, limit) => Promise.resolve(entries.slice(offset, offset + limit))}
          renderCell={(entry, column) => <EntryCell file={file} entry={entry} column={column} />}
          sort={sort}
          onSort={setSort}
          onRowClick={({ path }) => onChoose(path)}
          rowKey={({ path }) => path}
          selectedKey={chosen}
          version={`${filter} ${file.phase} ${known} ${entries.length}`}
        />
      </div>
    </section>
  )
}

interface EntryCellProps {
  readonly file: FileState
  readonly entry: FileEntry
  readonly column: string
}

function EntryCell({ file, entry, column }: EntryCellProps): ReactNode {
  const store = useView()
  const panelOf = usePanelOfFeed()
  if (column === 'path') return <EntryName path={entry.path} />
  if (column === 'bytes') return formatBytes(entry.bytes)
  const { tone, word } = ENTRY_WORDS[entry.phase]
  if (file.servers > 0 && entry.phase === 'listed' && isPackedResponse(entry.path)) return <Judged file={file} />
  const panel = entry.feed === null ? null : panelOf(entry.feed)
  const label = (
    <StateDot tone={tone}>
      <span title={entry.message}>{panel === null || tone !== 'ok' ? word : panel.title}</span>
    </StateDot>
  )
  if (panel === null) return label
  const sources = [...new Set([...store.view.sources, sourceOf(file, entry)])].slice(0, MAX_SOURCES)
  return (
    <a className={styles.link} href={store.href(panel.id, { sources })} title={`Show in ${panel.title}`}>
      {label}
    </a>
  )
}

/** A response of the package's servers, which panels of the server show. */
function Judged({ file }: { readonly file: FileState }): ReactNode {
  const { href, view } = useView()
  const sources = [...new Set([...view.sources, ...file.sources])].slice(0, MAX_SOURCES)
  return (
    <a
      className={styles.link}
      href={href('triage', { sources })}
      title="Judged by Triage, shown in Databases and Vitals"
    >
      <StateDot tone="ok">Triage</StateDot>
    </a>
  )
}

/** Name of an entry, with its folder dimmed, since many rows have the same one. */
function EntryName({ path }: { readonly path: string }): ReactNode {
  const cut = path.lastIndexOf('/') + 1
  return (
    <bdi className={styles.entryName} title={path}>
      <span className="faint">{path.slice(0, cut)}</span>
      {path.slice(cut)}
    </bdi>
  )
}

/** Source of an entry: one for each folder of a package. */
function sourceOf(file: FileState, { path }: FileEntry): SourceId {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : 'database'
  return `file:${file.name}/${folder}`
}
