import type { ReactNode } from 'react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../ui/controls/Button.tsx'
import { Dialog } from '../../ui/controls/Dialog.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { PanelBoundary } from '../shell/PanelBoundary.tsx'

const TwoFactorForm = lazy(() => import('./TwoFactorForm.tsx'))

/** Lets the user enter a code when the server requires it during a session; collected data stays. */
export default function TwoFactorButton({ onLetIn }: { readonly onLetIn: () => void }): ReactNode {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button tone="primary" onClick={() => setIsOpen(true)}>
        Enter the code
      </Button>
      {isOpen ? (
        <Dialog title="Two-factor code" onClose={() => setIsOpen(false)}>
          <PanelBoundary what="The form for the code">
            <Suspense fallback={<Spinner>Fetching the form</Spinner>}>
              <TwoFactorForm
                onLetIn={() => {
                  setIsOpen(false)
                  onLetIn()
                }}
              />
            </Suspense>
          </PanelBoundary>
        </Dialog>
      ) : null}
    </>
  )
}
