import type { ReactNode } from 'react'
import type { Bytes } from '../../../../base/brand.ts'
import { formatBytes, formatCount, UNKNOWN } from '../../../../base/text/format.ts'
import { useDetail } from '../../../../capture/database-details/useDetail.ts'
import { sumOfStorage, type StorageEnvironment } from '../../../../ravendb/databases/environments.ts'
import { RowTable, type RowColumn } from '../../../../ui/table/RowTable.tsx'
import { SideScrollBox } from '../../../../ui/table/SideScrollBox.tsx'
import { DetailPart } from './DetailPart.tsx'
import styles from './page.module.css'

const MOST_SHOWN = 12

interface StoragePartProps {
  readonly name: string
  /** Number of indexes, each of which is an environment; null: not known. */
  readonly indexes: number | null
}

/** Environments that every database has: documents and configuration. */
const OWN_ENVIRONMENTS = 2

/** Size on disk of documents, configuration and indexes; last known values of an unloaded database. */
export function StoragePart({ name, indexes }: StoragePartProps): ReactNode {
  const requested = useDetail('databases.environments', { database: name })
  return (
    <DetailPart
      className={styles.tall}
      requested={requested}
      database={name}
      title="Storage"
      label="Storage"
      what="Sizes of its environments"
      // And the line below them.
      rows={Math.min(MOST_SHOWN, OWN_ENVIRONMENTS + (indexes ?? 0)) + 1}
    >
      {({ environments }) => <EnvironmentTable environments={environments} />}
    </DetailPart>
  )
}

type Column = RowColumn<StorageEnvironment>

const orUnknown = (bytes: Bytes | null): string => (bytes === null ? UNKNOWN : formatBytes(bytes))

const SIZES: readonly Column[] = [
  { title: 'Environment', cell: ({ type, name }) => <bdi>{type === 'Index' ? name : type}</bdi> },
  { title: 'Data', cell: ({ dataBytes }) => formatBytes(dataBytes) },
]
const LIVE_SIZES: readonly Column[] = [
  {
    title: 'Free inside',
    hint: 'Allocated in the data file and not used: what compaction may give back',
    cell: ({ freeBytes }) => orUnknown(freeBytes),
  },
  { title: 'Journals', cell: ({ journalBytes }) => orUnknown(journalBytes) },
]
const TEMP: Column = { title: 'Temp', cell: ({ tempBytes }) => formatBytes(tempBytes) }

const sumWords = (environments: readonly StorageEnvironment[]): string => {
  const { bytes, tempBytes } = sumOfStorage(environments)
  return `${formatBytes(bytes)} on disk and ${formatBytes(tempBytes)} of temporary files`
}

function EnvironmentTable({ environments }: { readonly environments: readonly StorageEnvironment[] }): ReactNode {
  const rest = environments.slice(MOST_SHOWN)
  const isLive = environments.some(({ freeBytes }) => freeBytes !== null)
  const volumes = new Map(
    environments.flatMap(({ mount, volumeFreeBytes }) => (mount === null ? [] : [[mount, volumeFreeBytes]])),
  )
  return (
    <>
      <SideScrollBox label="Sizes of environments" className={styles.wideTable}>
        <RowTable
          className={styles.table}
          columns={isLive ? [...SIZES, ...LIVE_SIZES, TEMP] : [...SIZES, TEMP]}
          rows={environments.slice(0, MOST_SHOWN)}
          keyOf={({ type, name }) => `${type} ${name}`}
        />
      </SideScrollBox>
      <p className="note">
        {rest.length === 0 ? '' : `And ${formatCount(rest.length)} more with ${sumWords(rest)}. `}
        {environments.length < 2 ? '' : `In all ${sumWords(environments)}. `}
        {isLive ? '' : 'As it was when it was unloaded. '}
        {Array.from(volumes, ([mount, free]) => (free === null ? '' : `${formatBytes(free)} free on ${mount}. `))}
      </p>
    </>
  )
}
