import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/EmptyState.tsx'
import TwoFactorForm from './TwoFactorForm.tsx'
import styles from './TwoFactorForm.module.css'

/**
 * The server redirects every request of a certificate with a second factor to `/2fa/…` until the code is entered, and
 * serves this page there. The requested view is still in the hash.
 */
const TwoFactorPage = (): ReactNode => (
  <main className={styles.page}>
    <title>Two-factor code – Rookery</title>
    <EmptyState title="This certificate needs a two-factor code" actions={<TwoFactorForm onLetIn={goOn} />}>
      <p>The server answers nothing else until it has the code.</p>
    </EmptyState>
  </main>
)
export default TwoFactorPage

const goOn = (): void => location.replace(`../studio/index.html${location.hash}`)
