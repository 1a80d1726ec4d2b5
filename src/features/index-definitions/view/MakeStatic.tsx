import type { ReactNode } from 'react'
import { AttemptFailure } from '../../../capture/frame/notices/AttemptFailure.tsx'
import { useAttempt } from '../../../capture/client/requests/useAttempt.ts'
import { useCapture } from '../../../capture/client/view.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import type { DefinitionText } from '../contract.ts'

interface MakeStaticProps {
  readonly database: string
  readonly index: string
  readonly onBegin: (name: string, definition: DefinitionText) => void
}

/** Opens a new index with a static definition equivalent to an automatic index. */
export function MakeStatic({ database, index, onBegin }: MakeStaticProps): ReactNode {
  const capture = useCapture()
  const { attempt, failure } = useAttempt()
  const convert = async (): Promise<void> => {
    const { name, definition } = await capture.request('definitions.convert', { database, index })
    onBegin(name, definition)
  }
  return (
    <>
      <AttemptFailure of={failure} />
      <Button small onClick={() => void attempt('Not converted', convert)}>
        Make static …
      </Button>
    </>
  )
}
