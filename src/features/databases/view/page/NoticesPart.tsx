import type { ReactNode } from 'react'
import { NotificationList } from '../../../../actions/view/NotificationList.tsx'
import type { Clock } from '../../../../base/text/format.ts'
import { useDetail, useRenewal } from '../../../../capture/database-details/useDetail.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import type { ListedDatabase } from '../../data/facts.ts'
import { DetailPart } from './DetailPart.tsx'
import styles from './page.module.css'

interface NoticesPartProps {
  readonly row: ListedDatabase
  readonly name: string
  readonly clock: Clock
}

/** Alerts and performance hints that the database keeps. */
export function NoticesPart({ row, name, clock }: NoticesPartProps): ReactNode {
  const requested = useDetail('databases.notices', { database: name })
  useRenewal(requested, `${row.alerts} ${row.hints}`)
  const { renew, isRequesting } = requested
  return (
    <DetailPart
      requested={requested}
      database={name}
      title="Alerts and performance hints"
      label="Alerts and hints"
      what="Alerts and hints"
      className={styles.wide}
    >
      {(response) => (
        <>
          <NotificationList
            database={name}
            notices={response.notices}
            total={response.total}
            readMs={response.atMs}
            clock={clock}
          />
          <p>
            <Button small disabled={isRequesting} onClick={() => renew()}>
              Refresh
            </Button>
          </p>
        </>
      )}
    </DetailPart>
  )
}
