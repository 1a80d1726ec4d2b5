import type { ReactNode } from 'react'
import { Button } from './controls/Button.tsx'
import { Notice } from './Notice.tsx'

/** Says that the code of a part of the page could not be fetched; `what` names the part and begins a sentence. */
export function NotFetchedNotice({ what }: { readonly what: string }): ReactNode {
  return (
    <Notice
      tone="error"
      title={`${what} could not be fetched.`}
      actions={<Button onClick={() => location.reload()}>Reload the page</Button>}
    >
      <p>
        The server did not give its code, or was exchanged for another version. Reloading the page fetches it again;
        what has been collected in this tab is lost by that, so wait until the server answers.
      </p>
    </Notice>
  )
}
