import type { ReactNode } from 'react'
import { KeyHelp, type KeyGroup } from '../../ui/controls/KeyHelp.tsx'
import { PAGE_KEYS } from './keys.ts'

/** The keys of a panel and of the page. */
export default function PanelKeys({
  keys,
  onClose,
}: {
  readonly keys: readonly KeyGroup[]
  readonly onClose: () => void
}): ReactNode {
  return <KeyHelp groups={[...keys, ...PAGE_KEYS]} onClose={onClose} />
}
