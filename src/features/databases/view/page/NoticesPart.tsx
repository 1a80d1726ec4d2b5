import type { ReactNode } from 'react'
import { NotificationList } from '../../../../actions/view/NotificationList.tsx'
import type { Clock } from '../../../../base/text/format.ts'
import { DetailState } from '../../../../capture/details/DetailState.tsx'
import { useDetail } from '../../../../capture/details/useDetail.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import styles from './page.module.css'

/** Alerts and performance hints that the database keeps. */
export function NoticesPart({ name, clock }: { readonly name: string; readonly clock: Clock }): ReactNode {
  const asked = useDetail('databases.notices', { database: name })
  const { response, renew, isAsking } = asked
  return (
    <section className={styles.wide} aria-label={`Alerts and hints of ${name}`}>
      <h3>Alerts and performance hints</h3>
      {response?.loaded !== true ? (
        <DetailState asked={asked} database={name} what="Alerts and hints" />
      ) : (
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
    </section>
  )
}
