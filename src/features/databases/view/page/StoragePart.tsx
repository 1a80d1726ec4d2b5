import type { ReactNode } from 'react'
import { formatBytes, formatCount, UNKNOWN } from '../../../../base/text/format.ts'
import { useDetail } from '../../../../capture/details/useDetail.ts'
import type { StorageEnvironment } from '../../../../ravendb/databases/environments.ts'
import { DetailPart } from './DetailPart.tsx'
import styles from './page.module.css'

const MOST_SHOWN = 12

/** Documents, configuration and indexes by what they take on disk; of an unloaded database as the server last knew it. */
export function StoragePart({ name }: { readonly name: string }): ReactNode {
  const asked = useDetail('databases.environments', { database: name })
  return (
    <DetailPart
      className={styles.tall}
      asked={asked}
      database={name}
      title="Storage"
      label="Storage"
      what="Sizes of its environments"
    >
      {({ environments }) => <EnvironmentTable environments={environments} />}
    </DetailPart>
  )
}

function EnvironmentTable({ environments }: { readonly environments: readonly StorageEnvironment[] }): ReactNode {
  const rest = environments.slice(MOST_SHOWN)
  const isLive = environments.some(({ freeBytes }) => freeBytes !== null)
  const volumes = new Map(
    environments.flatMap(({ mount, volumeFreeBytes }) => (mount === null ? [] : [[mount, volumeFreeBytes]])),
  )
  return (
    <>
      <div className={styles.wideTable} role="region" aria-label="Sizes of environments" tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Environment</th>
              <th scope="col">Data</th>
              {isLive ? (
                <>
                  <th scope="col">
                    <span title="Allocated in the data file and not used: what compaction may give back">
                      Free inside
                    </span>
                  </th>
                  <th scope="col">Journals</th>
                </>
              ) : null}
              <th scope="col">Temp</th>
            </tr>
          </thead>
          <tbody>
            {environments.slice(0, MOST_SHOWN).map((each) => (
              <tr key={`${each.type} ${each.name}`}>
                <th scope="row">
                  <bdi>{each.type === 'Index' ? each.name : each.type}</bdi>
                </th>
                <td>{formatBytes(each.dataBytes)}</td>
                {isLive ? (
                  <>
                    <td>{each.freeBytes === null ? UNKNOWN : formatBytes(each.freeBytes)}</td>
                    <td>{each.journalBytes === null ? UNKNOWN : formatBytes(each.journalBytes)}</td>
                  </>
                ) : null}
                <td>{formatBytes(each.tempBytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={styles.faint}>
        {rest.length === 0
          ? ''
          : `And ${formatCount(rest.length)} more with ${formatBytes(rest.reduce((sum, { dataBytes, tempBytes }) => sum + dataBytes + tempBytes, 0))}. `}
        {isLive ? '' : 'As it was when it was unloaded. '}
        {Array.from(volumes, ([mount, free]) => (free === null ? '' : `${formatBytes(free)} free on ${mount}. `))}
      </p>
    </>
  )
}
