import type { ReactNode } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { missingFiles } from '../../worker/missing-files.ts'
import { useCaptureState } from '../../client/useCaptureState.ts'
import { useView } from '../../client/view.ts'

/** Notice of the files in the view that are not open here, with a way to open them. */
export function MissingFiles(): ReactNode {
  const state = useCaptureState()
  const store = useView()
  const names = missingFiles(state, store.view.sources)
  if (names.length === 0) return null
  return (
    <Notice
      tone="info"
      title={`Not open here: ${names.join(', ')}`}
      actions={<Button onClick={() => store.open('files', { params: { 'files.focus': 'drop' } })}>Open files…</Button>}
    >
      <p>
        This link is about {names.length === 1 ? 'that file' : 'those files'}. A page cannot open a file by itself:
        choose it once more, or drop it anywhere on this page.
      </p>
    </Notice>
  )
}
