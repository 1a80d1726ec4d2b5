import type { ReactNode, RefObject } from 'react'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { cx } from '../../ui/theme/cx.ts'
import type { SourceScope } from '../client/panels.ts'
import { useView } from '../client/view.ts'
import type { PanelFacts } from './panel.ts'
import styles from './PanelFrame.module.css'

export interface PanelFrameProps {
  readonly panel: PanelFacts
  readonly ref?: RefObject<HTMLElement | null> | undefined
  /** Class of another layout, instead of one column. */
  readonly className?: string | undefined
  /** Added to the default layout. */
  readonly extraClass?: string | undefined
  /** Shown above the content: `PanelNotices` for panels that draw sources. */
  readonly notices?: ReactNode
  readonly children: ReactNode
}

/** Frame of every panel's content: its region, the notices of its sources, and a choice that it needs first. */
export function PanelFrame(props: PanelFrameProps): ReactNode {
  const { panel, ref, className, extraClass, notices, children } = props
  const { sources } = useView().view
  return (
    <section ref={ref} className={className ?? cx(styles.panel, extraClass)} aria-label={panel.title}>
      {panel.needsSource && panel.scope !== 'database' && sources.length === 0 ? (
        <NoSource scope={panel.scope} />
      ) : (
        <>
          {notices}
          {children}
        </>
      )}
    </section>
  )
}

const NO_SOURCE: Readonly<Record<Exclude<SourceScope, 'database'>, { readonly title: string; readonly text: string }>> =
  {
    both: {
      title: 'Select a database',
      text: 'Select one or several databases, or the server’s own storage, above or on the page Databases.',
    },
    databases: {
      title: 'Select a database',
      text: 'Select one or several databases above or on the page Databases.',
    },
    server: {
      title: 'No source selected',
      text: 'Choose the server or one of its databases, above or on the page Databases, or open a file. All of them show the whole server.',
    },
  }

function NoSource({ scope }: { readonly scope: keyof typeof NO_SOURCE }): ReactNode {
  const { title, text } = NO_SOURCE[scope]
  return <EmptyState title={title}>{text} This loads no database.</EmptyState>
}
