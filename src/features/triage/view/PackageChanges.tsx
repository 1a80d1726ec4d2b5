import type { ReactNode } from 'react'
import { formatDateTime, formatDuration, formatPlural, UNKNOWN } from '../../../base/text/format.ts'
import { useRequest } from '../../../capture/client/requests/useRequest.ts'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useView } from '../../../capture/client/view.ts'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import { RowTable, type RowColumn } from '../../../ui/table/RowTable.tsx'
import { SideScrollBox } from '../../../ui/table/SideScrollBox.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import type { PackageChange } from '../../package/contract.ts'
import styles from './triage.module.css'

const figure = (value: string | null): ReactNode => <bdi>{value ?? UNKNOWN}</bdi>

const COLUMNS: readonly RowColumn<PackageChange>[] = [
  { title: 'What', cell: ({ what }) => figure(what) },
  { title: 'Database', cell: ({ database }) => figure(database) },
  { title: 'Before', cell: ({ before }) => figure(before) },
  { title: 'After', cell: ({ after }) => figure(after) },
]

/** Changes since an earlier package of the same server, if one is open as well. */
export function PackageChanges({ file }: { readonly file: string }): ReactNode {
  const { files } = useCaptureState()
  const open = files.filter(({ servers }) => servers > 0).length
  // The key discards the previous result, since reading the settings takes a moment: changes of another file or of
  // fewer packages are never shown.
  return open < 2 ? null : <Compared key={`${String(open)} ${file}`} file={file} />
}

function Compared({ file }: { readonly file: string }): ReactNode {
  const { clock } = useView().view
  const { response, params, error } = useRequest('package.changes', { file }, { version: file, everyMs: 1000 })
  if (error !== null) return <ErrorNotice error={error} />
  if (params === null) return <p className="note">Comparing with earlier packages …</p>
  if (response === null)
    return <p className="note">No earlier package of this server is open: the latest one lists what changed.</p>
  const { before, beforeTicks, afterTicks, come, gone, unjudged, changes, more } = response
  const span = formatDuration(afterTicks - beforeTicks)
  return (
    <details className={cx('faint', styles.fold)}>
      <summary>
        {`In the ${span} since `}
        <bdi>{before}</bdi>
        {`: ${formatPlural(come.length, 'new finding')}, ${String(gone.length)} gone, ${formatPlural(changes.length + more, 'figure')} changed`}
      </summary>
      <p>{`Compared with what the server answered at ${formatDateTime(beforeTicks, clock, 0)}.`}</p>
      <Titles label="New" titles={come} />
      <Titles label="Gone" titles={gone} />
      <Titles label="Judged in one only" titles={unjudged} />
      {changes.length === 0 ? null : (
        <SideScrollBox label="Figures that changed" className="raised">
          <RowTable
            label="Figures that changed"
            rows={changes}
            columns={COLUMNS}
            keyOf={({ database, what }) => `${database ?? ''}|${what}`}
          />
        </SideScrollBox>
      )}
      {more === 0 ? null : <p>{`And ${formatPlural(more, 'other figure')}.`}</p>}
    </details>
  )
}

function Titles({ label, titles }: { readonly label: string; readonly titles: readonly string[] }): ReactNode {
  if (titles.length === 0) return null
  return (
    <ul aria-label={label}>
      {titles.map((title) => (
        <li key={title}>
          {`${label}: `}
          <bdi>{title}</bdi>
        </li>
      ))}
    </ul>
  )
}
