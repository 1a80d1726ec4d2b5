import { useState, type ReactNode } from 'react'
import { useIndexesToActOn } from '../client/use-indexes.ts'
import { ActionMenu } from './ActionMenu.tsx'

const NOTHING_KNOWN = {}

interface IndexMenuProps {
  readonly database: string
  readonly name: string
}

/** The actions on one index, for the card of something that it did. What they need to know is read while the menu is open. */
export function IndexMenu({ database, name }: IndexMenuProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false)
  const facts = useIndexesToActOn(isOpen ? database : null)?.find((index) => index.name === name)?.facts
  return (
    <ActionMenu
      target={{ kind: 'index', database, name }}
      facts={facts ?? NOTHING_KNOWN}
      text="Act on it"
      onToggle={setIsOpen}
    />
  )
}
