import { Component, type ReactNode } from 'react'
import { wasNotFetched } from './not-fetched.ts'
import { NotFetchedNotice } from './NotFetchedNotice.tsx'

interface Props {
  /** Name of the part, which begins a sentence: `The lanes below`. */
  readonly what: string
  readonly children: ReactNode
}

/** Error boundary of a part whose code is fetched later: without it what stands beside stays. Other errors pass. */
export class FetchBoundary extends Component<Props, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null }

  static getDerivedStateFromError(thrown: unknown): { readonly error: Error } {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    if (!wasNotFetched(error)) throw error
    return <NotFetchedNotice what={this.props.what} />
  }
}
