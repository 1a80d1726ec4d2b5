import type { ReactNode } from 'react'
import { formatDateTime } from '../../../base/text/format.ts'
import { useView, type ViewParts } from '../../../capture/client/view.ts'
import { usePanelTitle } from '../../../capture/frame/panel.ts'
import { StateDot } from '../../../ui/Badge.tsx'
import { RowTable, type RowColumn } from '../../../ui/table/RowTable.tsx'
import { SideScrollBox } from '../../../ui/table/SideScrollBox.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import type { ServerRow } from '../contract.ts'
import { hostOfServer } from '../../../base/http/stand-alone.mjs'
import { findingsOfAll, type Found } from './sentence.ts'
import styles from './servers.module.css'

/** Maximum number of findings listed for all servers; the studio of each server shows the rest. */
const MOST = 50

/**
 * Triage over all servers: findings worst first, each with its server and a link to details in that server's studio.
 */
export function FindingsOfAll({ rows }: { readonly rows: readonly ServerRow[] }): ReactNode {
  const found = findingsOfAll(rows)
  if (found.length === 0) return null
  return (
    <section className="stack" aria-label="Findings of all servers">
      <h2>Findings of all servers</h2>
      <SideScrollBox label="Findings of all servers" className={cx('raised', styles.box)}>
        <RowTable
          className={styles.rows}
          isStacked
          caption="Findings of all servers, worst first"
          rows={found.slice(0, MOST)}
          keyOf={({ server, finding }) => `${server.path} ${finding.id}`}
          columns={COLUMNS}
        />
      </SideScrollBox>
      {found.length > MOST ? (
        <p className="note">
          The first {MOST} of {found.length}. The studio of a server has all of its own.
        </p>
      ) : null}
    </section>
  )
}

const COLUMNS: readonly RowColumn<Found>[] = [
  { title: 'Finding', cell: ({ finding }) => <bdi>{finding.title}</bdi>, className: styles.finding },
  {
    title: 'Level',
    cell: ({ finding: { level } }) => <StateDot tone={level === 'critical' ? 'error' : 'warn'}>{level}</StateDot>,
  },
  {
    title: 'Server',
    cell: ({ server: { path, url } }) => (
      <a href={`${path}/studio/index.html`}>
        <bdi>{hostOfServer(url)}</bdi>
      </a>
    ),
  },
  { title: 'Since', cell: (found) => <Since found={found} />, className: styles.figure },
  { title: 'More', cell: (found) => <Way found={found} /> },
]

function Since({ found: { finding } }: { readonly found: Found }): ReactNode {
  const { clock } = useView().view
  const { sinceTicks, sinceIsBound } = finding
  if (sinceTicks === null) return null
  return `${formatDateTime(sinceTicks, clock, 0)}${sinceIsBound ? ' or before' : ''}`
}

/** Link to a page of another server, with the sources and the range of the finding, and without those of this page. */
function Way({ found: { server, finding } }: { readonly found: Found }): ReactNode {
  const store = useView()
  const { link } = finding
  const name = usePanelTitle(link.panel)
  const parts: ViewParts = {
    params: link.params,
    sources: link.sources,
    range: link.range,
    selection: link.selection ?? null,
    ...(link.database === undefined ? {} : { database: link.database }),
  }
  return <a href={`${server.path}/studio/index.html${store.href(link.panel, parts)}`}>{name}</a>
}
