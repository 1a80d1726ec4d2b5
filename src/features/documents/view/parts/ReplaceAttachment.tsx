import type { ReactNode } from 'react'
import { formatBytes } from '../../../../base/text/format.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Dialog } from '../../../../ui/controls/Dialog.tsx'
import type { AttachmentVersion } from '../../contract.ts'

/** An upload that would replace an attachment. */
export interface Replacing {
  readonly file: File
  /** Version that is replaced, and no other. */
  readonly version: AttachmentVersion
  /** Whether another client has uploaded it since the document was read. */
  readonly isOther: boolean
}

interface ReplaceAttachmentProps extends Replacing {
  /** Reason why nothing can be changed; null if it can. */
  readonly refusal: string | null
  readonly onReplace: (replacing: Replacing) => void
  readonly onClose: () => void
}

export function ReplaceAttachment({ refusal, onReplace, onClose, ...replacing }: ReplaceAttachmentProps): ReactNode {
  const { file, version, isOther } = replacing
  return (
    <Dialog
      title={`Replace attachment “${version.name}”`}
      onClose={onClose}
      onSubmit={() => onReplace(replacing)}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" submits disabled={refusal !== null} title={refusal ?? undefined}>
            Replace
          </Button>
        </>
      }
    >
      {isOther ? <p role="alert">Another client has uploaded it since the document was read.</p> : null}
      <p>
        What it holds is lost: {formatBytes(version.bytes)}, {version.contentType}. The new file has{' '}
        {formatBytes(file.size)}.
      </p>
    </Dialog>
  )
}
