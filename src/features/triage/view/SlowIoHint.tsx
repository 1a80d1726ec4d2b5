import type { ReactNode } from 'react'
import { spanFromMs, type Ticks } from '../../../base/ticks.ts'
import { formatDuration, formatPlural, type Clock } from '../../../base/text/format.ts'
import { formatMoment } from '../../../base/text/figures.ts'
import { useDetail, useRenewal } from '../../../capture/database-details/useDetail.ts'
import type { DatabaseNotice } from '../../../ravendb/databases/database-details.ts'

interface SlowIoHintProps {
  readonly database: string
  readonly nowTicks: Ticks | null
  readonly clock: Clock
}

const MINUTE_TICKS = spanFromMs(60_000)

/** The server's own hint of slow I/O, read each minute beside a finding about writes. Empty if the server has none. */
export function SlowIoHint({ database, nowTicks, clock }: SlowIoHintProps): ReactNode {
  const requested = useDetail('databases.notices', { database })
  useRenewal(requested, String(Math.floor((nowTicks ?? 0) / MINUTE_TICKS)))
  const { response } = requested
  const hint = response?.loaded === true ? response.notices.find(({ kind }) => kind === 'SlowIO') : undefined
  return hint === undefined ? null : <p>{describeHint(hint, nowTicks, clock)}</p>
}

/** Quotes the hint, with the longest of its listed writes. */
function describeHint({ title, atTicks, details }: DatabaseNotice, nowTicks: Ticks | null, clock: Clock): string {
  const rows = details?.rows ?? []
  const longest = rows
    .flat()
    .reduce((most, cell) => (cell?.unit === 'ms' ? Math.max(most, Number(cell.value)) : most), 0)
  const files = rows.length + (details?.more ?? 0)
  const of = longest === 0 ? '' : `, ${formatPlural(files, 'file')}, the longest ${formatDuration(spanFromMs(longest))}`
  const at = atTicks === null ? '' : `, ${formatMoment(atTicks, nowTicks, clock)}`
  return `The server’s own hint: “${title}”${of}${at}.`
}
