import type { ReactNode } from 'react'
import { KeyHelp, type KeyGroup } from '../../ui/controls/KeyHelp.tsx'
import { PAGE_KEYS } from './keys.ts'

interface PanelKeysProps {
  readonly keys: readonly KeyGroup[]
  readonly onClose: () => void
}

/** The keys of a panel and of the page. */
export default function PanelKeys({ keys, onClose }: PanelKeysProps): ReactNode {
  return <KeyHelp groups={[...keys, ...PAGE_KEYS]} onClose={onClose} />
}
