import { type TimeText, useTimes } from '../../../../capture/client/times.ts'
import { LateError } from '../../../../capture/frame/notices/LateError.tsx'
import type { ReactNode } from 'react'
import {
  formatBytes,
  formatCount,
  formatPlural,
  formatTime,
  UNKNOWN,
  type Clock,
} from '../../../../base/text/format.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import { useServerTicks } from '../../../../capture/client/server-ticks.ts'
import { ListExport } from '../../../../capture/exporting/ListExport.tsx'
import { parseSourceId, type Gap } from '../../../../capture/client/state.ts'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { DetailState } from '../../../../capture/database-details/DetailState.tsx'
import { useDetail } from '../../../../capture/database-details/useDetail.ts'
import type { DetailParams } from '../../../../ravendb/databases/database-details.ts'
import type { JournalReport } from '../../../../ravendb/databases/journals.ts'
import { StateDot } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { RowTable, type RowColumn } from '../../../../ui/table/RowTable.tsx'
import { SideScrollBox } from '../../../../ui/table/SideScrollBox.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import type { IoJournal } from '../../../../feeds/io/contract/details.ts'
import type { IoLane } from '../../../../feeds/io/contract/lanes.ts'
import side from '../details/side.module.css'
import { describeReport, JOURNAL_COLUMNS, journalRows, unknownOf, type JournalRow } from './journal-rows.ts'
import styles from './journals.module.css'

const EVERY_MS = 1000
const MOST_SHOWN = 50

interface JournalsProps {
  readonly lane: IoLane
  readonly gaps: readonly Gap[]
  readonly version: number
  readonly clock: Clock
}

/** Life of the journal files of an environment whose files are shown in the timeline. */
export default function Journals({ lane, gaps, version, clock }: JournalsProps): ReactNode {
  const { response, error } = useRequest(
    'io.journals',
    { lane: lane.id, limit: MOST_SHOWN, unknown: unknownOf(gaps, lane) },
    { version, everyMs: EVERY_MS },
  )
  const requested = detailOf(lane)
  const shown = { lane, journals: response?.journals ?? [], older: response?.older ?? 0, clock }
  return (
    <section className={cx('stack', styles.journals)} aria-label={`Journal files of ${lane.label}`}>
      <h2>
        Journal files of <bdi>{lane.label}</bdi>
      </h2>
      <LateError error={error} />
      {requested === null ? <Table {...shown} report={null} /> : <Reported {...shown} requested={requested} />}
      <p className="note">
        Writes are those that were recorded. When a file was created, flushed or used again is not reported by the
        server: it was created before its first write; a flush or sync that began before its last write ended cannot
        have covered it all.
      </p>
    </section>
  )
}

/**
 * Parameters of the request for the server's report; null: there is no server, or it does not report the journals of
 * this environment.
 */
function detailOf({ source, type, label, labelIsReal }: IoLane): DetailParams | null {
  const ref = parseSourceId(source)
  if (ref?.kind !== 'database') return null
  if (type === 'Documents') return { database: ref.name }
  return type === 'Index' && labelIsReal ? { database: ref.name, index: label } : null
}

interface Shown {
  readonly lane: IoLane
  readonly journals: readonly IoJournal[]
  readonly older: number
  readonly clock: Clock
}

/** Report of the server, requested when first shown and on a click: 3 ms of the server, loads nothing. */
function Reported({ requested, ...shown }: Shown & { readonly requested: DetailParams }): ReactNode {
  const detail = useDetail('databases.journals', requested)
  const { response, isRequesting, renew } = detail
  const { clock } = shown
  const serverTicks = useServerTicks()
  const known = response?.loaded === true ? response : null
  return (
    <>
      <DetailState requested={detail} database={requested.database} what="States of journal files" />
      {known === null ? null : (
        <p className="row tight" role="status">
          {describeReport(known.report, formatTime(serverTicks(known.atMs), clock, 0))}
          <Button small disabled={isRequesting} onClick={() => renew()}>
            Ask again
          </Button>
        </p>
      )}
      <Table {...shown} report={known?.report ?? null} />
    </>
  )
}

function Table({ lane, journals, older, report }: Shown & { readonly report: JournalReport | null }): ReactNode {
  const time = useTimes()
  const rows = journalRows(journals, report, time)
  const columns = columnsIn(time)
  return (
    <SideScrollBox
      label={`Life of journal files of ${lane.label}`}
      role="group"
      className={cx('raised', side.tableBox)}
    >
      <RowTable
        className={cx('figures', side.summary)}
        columns={columns}
        rows={rows}
        keyOf={(row) => String(row.number)}
        corner={
          <td className={side.corner}>
            <ListExport
              compact
              label="journal files"
              what="io-journals"
              of={lane.label}
              at={rows[0]?.seen?.firstTicks ?? null}
              columns={JOURNAL_COLUMNS}
              rows={rows}
            />
          </td>
        }
        foot={
          older === 0 ? null : (
            <tr>
              <th scope="row" colSpan={columns.length + 1}>
                And {formatPlural(older, 'older file')}.
              </th>
            </tr>
          )
        }
      />
    </SideScrollBox>
  )
}

const at = (ticks: Ticks | undefined, time: TimeText): string => (ticks === undefined ? UNKNOWN : time(ticks, 3))

const columnsIn = (time: TimeText): readonly RowColumn<JournalRow>[] => [
  { title: 'File', cell: (row) => formatCount(row.number), cellHint: ({ name }) => name },
  {
    title: 'State',
    className: styles.need,
    cell: ({ tone, words }) => <StateDot tone={tone}>{words}</StateDot>,
  },
  {
    title: 'First write',
    hint: 'Start of the first recorded journal write: the file is at least so old',
    cell: ({ seen }) => at(seen?.firstTicks, time),
  },
  {
    title: 'Last write',
    hint: 'End of the last recorded journal write',
    cell: ({ seen }) => at(seen?.endTicks, time),
  },
  {
    title: 'Flushed at earliest',
    hint: 'End of the first data flush that began after the last write: no earlier one can hold all of the file. Not known where a gap may hide a write or a flush before it',
    cell: ({ seen }) => at(seen?.flush?.endTicks, time),
  },
  {
    title: 'Synced at earliest',
    hint: 'End of the first data sync that began after that flush: no earlier one can have made it durable. Not known where a gap may hide one before it',
    cell: ({ seen }) => at(seen?.sync?.endTicks, time),
  },
  {
    title: 'Writes',
    hint: 'Single journal writes that were recorded; + where there are also roll-ups',
    cell: ({ seen }) => (seen === null ? UNKNOWN : `${formatCount(seen.writes)}${seen.rollUps > 0 ? ' +' : ''}`),
  },
  {
    title: 'Written',
    hint: 'Bytes of the recorded journal writes and roll-ups',
    cell: ({ seen }) => (seen === null ? UNKNOWN : formatBytes(seen.bytes)),
  },
  {
    title: 'Length',
    hint: 'Of the file, as its newest write reported',
    cell: ({ seen }) => (seen?.fileBytes == null ? UNKNOWN : formatBytes(seen.fileBytes)),
  },
]
