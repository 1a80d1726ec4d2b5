import type { ReactNode } from 'react'
import { NotificationList } from '../../../../actions/view/NotificationList.tsx'
import type { Clock } from '../../../../base/text/format.ts'
import { useDetail } from '../../../../capture/details/useDetail.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { DetailPart } from './DetailPart.tsx'
import styles from './page.module.css'

/** Alerts and performance hints that the database keeps. */
export function NoticesPart({ name, clock }: { readonly name: string; readonly clock: Clock }): ReactNode {
  const asked = useDetail('databases.notices', { database: name })
  const { renew, isAsking } = asked
  return (
    <DetailPart
      asked={asked}
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
            <Button small disabled={isAsking} onClick={() => renew()}>
              Refresh
            </Button>
          </p>
        </>
      )}
    </DetailPart>
  )
}
