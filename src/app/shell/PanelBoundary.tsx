import type { ReactNode } from 'react'
import { Component } from 'react'
import { Button } from '../../ui/controls/Button.tsx'
import { CopyButton } from '../../ui/controls/CopyButton.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { wasNotFetched } from '../../ui/not-fetched.ts'
import { NotFetchedNotice } from '../../ui/NotFetchedNotice.tsx'
import styles from './shell.module.css'

interface Props {
  /** Name of the guarded part: `The panel I/O`. */
  readonly what: string
  /** Consequence of a failure for the data; by default the text for one panel. */
  readonly consequence?: string
  readonly children: ReactNode
}

/** Error boundary of a panel: its failure does not affect other panels or the capture, whose data is in the worker. */
export class PanelBoundary extends Component<Props, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null }

  static getDerivedStateFromError(thrown: unknown): { readonly error: Error } {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) }
  }

  override render(): ReactNode {
    const { error } = this.state
    const { what, consequence = 'Collected data is kept, and collecting continues.', children } = this.props
    if (error === null) return children
    return (
      <div className={styles.broken}>
        {wasNotFetched(error) ? (
          <NotFetchedNotice what={what} />
        ) : (
          <Notice
            tone="error"
            title={`${what} broke: ${error.message}`}
            actions={
              <>
                <Button icon="reload" small onClick={() => this.setState({ error: null })}>
                  Reload panel
                </Button>
                <CopyButton label="Copy details" text={() => `${error.name}: ${error.message}\n${error.stack ?? ''}`} />
              </>
            }
          >
            <p>This is a fault of Rookery, not of the server. {consequence}</p>
          </Notice>
        )}
      </div>
    )
  }
}
