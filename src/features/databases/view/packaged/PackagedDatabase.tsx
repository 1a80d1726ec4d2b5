import type { ReactNode } from 'react'
import {
  formatBytes,
  formatCount,
  formatDateTime,
  formatPlural,
  UNKNOWN,
  type Clock,
} from '../../../../base/text/format.ts'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { databaseInScope } from '../../../../capture/client/database-scope.ts'
import { useView } from '../../../../capture/client/view.ts'
import { PackageHead } from '../../../../capture/frame/PackageHead.tsx'
import type { PackagedProps } from '../../../../capture/frame/panel.ts'
import { PanelFrame } from '../../../../capture/frame/PanelFrame.tsx'
import { PanelLink } from '../../../../capture/frame/PanelLink.tsx'
import { StateDot } from '../../../../ui/Badge.tsx'
import { FactLines, type FactLine } from '../../../../ui/FactLines.tsx'
import { ErrorNotice } from '../../../../ui/Notice.tsx'
import { Spinner } from '../../../../ui/Progress.tsx'
import { RowTable, type RowColumn } from '../../../../ui/table/RowTable.tsx'
import { SideScrollBox } from '../../../../ui/table/SideScrollBox.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import type { PackageDatabase, PackageDatabaseDetail, PackageReport } from '../../../package/contract.ts'
import {
  ERROR_COLUMNS,
  FAILED_COLUMNS,
  HUGE_COLUMNS,
  indexColumns,
  noticeColumns,
  queryColumns,
  STORAGE_COLUMNS,
  taskColumns,
  TOMBSTONE_COLUMNS,
} from './columns.tsx'
import styles from './packaged.module.css'
import { STATES } from './states.ts'
import type {} from '../../../files/contract.ts'

const MOST_ROWS = 200
/** Page of the database in scope, from a debug package, for each node. */
export default function PackagedDatabase({ panel, file }: PackagedProps): ReactNode {
  const { response: report, error } = useRequest('package.report', { file }, { version: file, everyMs: 1000 })
  const name = databaseInScope(useView().view)
  return (
    <PanelFrame panel={panel}>
      {error === null ? null : <ErrorNotice error={error} />}
      {report === null ? <Spinner>Reading the package</Spinner> : <Page report={report} name={name} />}
    </PanelFrame>
  )
}

function Page({ report, name }: { readonly report: PackageReport; readonly name: string | null }): ReactNode {
  const rows = report.databases.filter((each) => each.name === name)
  return (
    <>
      <nav aria-label="Back">
        <PanelLink panel="databases">All databases of the package</PanelLink>
      </nav>
      <h2>
        <bdi>{name ?? 'No database is chosen'}</bdi>
      </h2>
      <PackageHead file={report.file} atTicks={report.atTicks} />
      {rows.length > 0 || name === null ? null : (
        <p className="note">The package has nothing of a database of this name.</p>
      )}
      {rows.map((row) => (
        <OnNode key={row.folder} file={report.file} row={row} isOneOf={rows.length > 1} />
      ))}
    </>
  )
}

function OnNode(props: { readonly file: string; readonly row: PackageDatabase; readonly isOneOf: boolean }): ReactNode {
  const { file, row, isOneOf } = props
  const { clock } = useView().view
  const { prefix, name, folder, node, source } = row
  const params = { file, prefix, database: name }
  const { response: detail } = useRequest('package.database', params, { version: file, everyMs: 1000 })
  const [tone, word] = STATES[row.state]
  return (
    <>
      <div className="row">
        {isOneOf ? <h3>{`Node ${node ?? prefix}`}</h3> : null}
        <StateDot tone={tone}>{word}</StateDot>
        <PanelLink panel="io" parts={{ sources: [source], range: null }}>
          I/O
        </PanelLink>
        <PanelLink panel="indexing" parts={{ sources: [source], range: null }}>
          Indexing
        </PanelLink>
        <PanelLink panel="files" parts={{ params: { 'files.file': file, 'files.filter': folder, 'files.entry': '' } }}>
          Its entries
        </PanelLink>
      </div>
      <FactLines lines={factsOf(row, clock)} />
      {detail === null ? <Spinner>Reading the package</Spinner> : <Parts detail={detail} clock={clock} />}
    </>
  )
}

const factsOf = (row: PackageDatabase, clock: Clock): FactLine[] => [
  ['Documents', row.documents === null ? UNKNOWN : formatCount(row.documents)],
  ['On disk', row.bytes === null ? UNKNOWN : formatBytes(row.bytes)],
  ['Temporary files', row.tempBytes === null ? UNKNOWN : formatBytes(row.tempBytes)],
  ['Last backup', row.backupTicks === null ? UNKNOWN : formatDateTime(row.backupTicks, clock, 0)],
  ...(row.isEncrypted ? [['Storage', 'encrypted'] as const] : []),
  ...(row.isCompressed ? [['Documents are', 'compressed'] as const] : []),
]

function Parts({ detail, clock }: { readonly detail: PackageDatabaseDetail; readonly clock: Clock }): ReactNode {
  const { indexes, errors, tasks, tombstones, huge, notices, storage, queries, failed } = detail
  return (
    <div className={styles.parts}>
      <Part
        title="Indexes"
        rows={indexes}
        columns={indexColumns(clock)}
        keyOf={({ name }) => name}
        isWide
        none="It has no index."
      />
      <Part
        title="Indexing errors"
        rows={errors}
        keyOf={({ index }) => index}
        none="None is kept."
        columns={ERROR_COLUMNS}
      />
      <Part
        title="Running queries"
        rows={queries}
        keyOf={({ index, query, startTicks }) => `${index} ${query} ${String(startTicks)}`}
        none="None ran when the package was made."
        columns={queryColumns(clock)}
      />
      <Part
        title="Ongoing tasks"
        rows={tasks}
        keyOf={({ type, id }) => `${type} ${id}`}
        none="None is set up: no backup, replication, ETL or subscription."
        columns={taskColumns(clock)}
      />
      <Part
        title="Notifications"
        rows={notices}
        keyOf={({ id }) => id}
        none="There is none."
        columns={noticeColumns(clock)}
      />
      <Part
        title="What tombstones wait for"
        rows={tombstones?.filter(({ isBlocking }) => isBlocking) ?? null}
        keyOf={({ name, collection, process }) => `${process ?? ''} ${name} ${collection}`}
        none="Nothing holds them back."
        columns={TOMBSTONE_COLUMNS}
      />
      <Part
        title="Storage"
        rows={storage}
        keyOf={({ type, name }) => `${type} ${name}`}
        none="None is reported."
        columns={STORAGE_COLUMNS}
      />
      <Part
        title="Huge documents"
        rows={huge}
        keyOf={({ id }) => id}
        none="None was used lately."
        columns={HUGE_COLUMNS}
      />
      {failed.length === 0 ? null : (
        <Part
          title="Responses that failed"
          rows={failed}
          keyOf={({ entry }) => entry}
          none=""
          columns={FAILED_COLUMNS}
        />
      )}
    </div>
  )
}

interface PartProps<Row> {
  readonly title: string
  /** Rows of the part; null: not in the package. */
  readonly rows: readonly Row[] | null
  readonly columns: readonly RowColumn<Row>[]
  readonly keyOf: (row: Row) => string
  /** Text for a part that is in the package but empty. */
  readonly none: string
  readonly isWide?: boolean
}

function Part<Row>({ title, rows, columns, keyOf, none, isWide = false }: PartProps<Row>): ReactNode {
  return (
    <section className={cx('raised', isWide && styles.wide)} aria-label={title}>
      <h3>{title}</h3>
      {rows === null ? (
        <p className="note">It is not in the package.</p>
      ) : rows.length === 0 ? (
        <p className="note">{none}</p>
      ) : (
        <SideScrollBox label={title}>
          <RowTable
            className={styles.rows}
            label={title}
            rows={rows.slice(0, MOST_ROWS)}
            columns={columns}
            keyOf={keyOf}
          />
        </SideScrollBox>
      )}
      {rows !== null && rows.length > MOST_ROWS ? (
        <p className="note">{`And ${formatPlural(rows.length - MOST_ROWS, 'more', 'more')}.`}</p>
      ) : null}
    </section>
  )
}
