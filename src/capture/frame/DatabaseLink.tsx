import type { ReactNode } from 'react'
import { PanelLink } from './PanelLink.tsx'

interface DatabaseLinkProps {
  readonly name: string
  /** Added to the default class. */
  readonly className?: string | undefined
}

/** Name of a database, as a link to its page. */
export const DatabaseLink = ({ name, className }: DatabaseLinkProps): ReactNode => (
  <PanelLink panel="database" parts={{ database: name }} className={className}>
    <bdi>{name}</bdi>
  </PanelLink>
)
