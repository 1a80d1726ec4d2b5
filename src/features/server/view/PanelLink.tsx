import type { ReactNode } from 'react'
import type { PanelId } from '../../../capture/client/panel-id.ts'
import { useView, type View } from '../../../capture/client/view.ts'
import styles from './triage/triage.module.css'

const UNCHANGED: Partial<View> = {}

/** The way to another panel: a real link, so that it can be copied and opened beside. */
export function PanelLink({
  panel,
  parts = UNCHANGED,
  children,
}: {
  readonly panel: PanelId
  readonly parts?: Partial<View>
  readonly children: ReactNode
}): ReactNode {
  const store = useView()
  return (
    <a
      className={styles.link}
      href={store.href(panel, parts)}
      onClick={(event) => {
        if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        store.open(panel, parts)
      }}
    >
      {children}
    </a>
  )
}
