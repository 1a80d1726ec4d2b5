import type { ReactNode } from 'react'
import { DetailState } from '../../../../capture/database-details/DetailState.tsx'
import { ReadAge } from '../../../../capture/database-details/ReadAge.tsx'
import type { RequestedDetail } from '../../../../capture/database-details/useDetail.ts'
import type { Detail } from '../../../../ravendb/databases/database-details.ts'
import styles from './page.module.css'

/** Height of a row of a table, rem: its text, its padding and its line. */
const ROW_REM = 1.55
/** Height of a table with its header. */
const heightOf = (rows: number): string => `${String((rows + 1) * ROW_REM)}rem`

type Loaded<Facts extends object> = Extract<Detail<Facts>, { readonly loaded: true }>

/** A part of a database's page: what only the database knows, or why that is missing. */
export function DetailPart<Facts extends object>({
  requested,
  database,
  title,
  label,
  what,
  className,
  unknown,
  rows = 0,
  after,
  children,
}: {
  readonly requested: RequestedDetail<Detail<Facts>>
  readonly database: string
  readonly title: string
  /** Title of the part, such as `Storage`. */
  readonly label: string
  /** Name of the requested facts: `Index errors`. */
  readonly what: string
  readonly className?: string | undefined
  /** Facts that need no response, shown above the reason. */
  readonly unknown?: ReactNode
  /** Rows of the expected table, whose room is kept until it arrives. */
  readonly rows?: number
  /** Content below, with or without a response. */
  readonly after?: ReactNode
  readonly children: (response: Loaded<Facts>) => ReactNode
}): ReactNode {
  const { response } = requested
  return (
    <section className={className} aria-label={`${label} of ${database}`}>
      <h3>{title}</h3>
      {isLoaded(response) ? (
        <>
          {children(response)}
          <ReadAge readMs={response.atMs} />
        </>
      ) : (
        <div className={styles.awaited} style={rows === 0 ? undefined : { minHeight: heightOf(rows) }}>
          {requested.isRequesting ? null : unknown}
          <DetailState requested={requested} database={database} what={what} />
        </div>
      )}
      {after}
    </section>
  )
}

const isLoaded = <Facts extends object>(response: Detail<Facts> | null): response is Loaded<Facts> =>
  response?.loaded === true
