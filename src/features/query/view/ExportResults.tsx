import type { ReactNode } from 'react'
import { formatPlural } from '../../../base/text/format.ts'
import { ExportMenu } from '../../../capture/exporting/ExportMenu.tsx'
import type { QueryExports, QueryPage, QueryText } from '../contract.ts'
import { keysOf } from '../data/run.ts'

interface ExportResultsProps {
  readonly query: QueryText
  readonly page: QueryPage
}

/** Exports all results as a file. */
export function ExportResults({ query, page }: ExportResultsProps): ReactNode {
  return (
    <ExportMenu<keyof QueryExports>
      text="Export"
      label="Export results"
      exporterOf={(kind) => `query.${kind}`}
      params={{ ...query, columns: keysOf(page.rows) }}
      what="query"
      of={query.database}
      rows={page.hasLists ? null : page.total}
      rowBytes={page.rows.length === 0 ? null : page.bytes / page.rows.length}
      doneText={(rows) => `${formatPlural(rows, 'result')} exported, as many as the server has.`}
    />
  )
}
