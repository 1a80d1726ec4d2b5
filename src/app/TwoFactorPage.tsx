import type { ReactNode } from 'react'
import { EmptyState } from '../ui/EmptyState.tsx'

/**
 * The server sends every request of a certificate with a second factor to `/2fa/…` until the code was entered, and serves
 * this very page there. No other address of the server can be opened before that, the official studio included.
 */
export const TwoFactorPage = (): ReactNode => (
  <main>
    <title>Two-factor code needed – Rookery</title>
    <EmptyState title="This certificate needs a two-factor code">
      <p>
        The server answers nothing until the code of your authenticator was entered. Rookery has no form for it: use a
        certificate without a second factor, or enter the code where the official studio is still installed, then reload
        this page.
      </p>
    </EmptyState>
  </main>
)
