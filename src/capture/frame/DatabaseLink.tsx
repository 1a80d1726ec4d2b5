import type { ReactNode } from 'react'
import { PanelLink } from './PanelLink.tsx'

interface DatabaseLinkProps {
  readonly name: string
  /** Beside the usual look. */
  readonly className?: string | undefined
}

/** The name of a database, which opens its page. */
export const DatabaseLink = ({ name, className }: DatabaseLinkProps): ReactNode => (
  <PanelLink panel="database" parts={{ database: name }} className={className}>
    <bdi>{name}</bdi>
  </PanelLink>
)
