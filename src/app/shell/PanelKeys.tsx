import type { ReactNode } from 'react'
import type { PanelId } from '../../capture/client/panels.ts'
import { KeyHelp } from '../../ui/controls/KeyHelp.tsx'
import { PAGE_KEYS } from './keys.ts'
import { PANEL_KEYS } from './panel-keys.ts'

interface PanelKeysProps {
  readonly panel: PanelId
  readonly onClose: () => void
}

/** Dialog with the keys of a panel and of the page. */
export default function PanelKeys({ panel, onClose }: PanelKeysProps): ReactNode {
  return <KeyHelp groups={[...(PANEL_KEYS[panel] ?? []), ...PAGE_KEYS]} onClose={onClose} />
}
