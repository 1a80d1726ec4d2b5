import { useState } from 'react'
import { ageRefusal } from '../../../actions/access.ts'
import { useAccess } from '../../../actions/client/session.ts'
import { CaptureError } from '../../../capture/client/client.ts'
import type { ErrorInfo } from '../../../capture/client/state.ts'
import { useCapture } from '../../../capture/client/view.ts'
import type { Since } from '../../../ravendb/versions.ts'
import type { DefinitionFault, DefinitionText, TestOutcome } from '../contract.ts'

/** Number of documents in a sample, per collection. */
export const SAMPLE = 100

/** First version that can test an index without saving it. */
const SINCE: Since = [6, 2]

/** Reason why this server cannot test an index, as a sentence; null: it can, or its version is not known yet. */
export function useTestRefusal(): string | null {
  const access = useAccess()
  return access === null ? null : ageRefusal(access.version, SINCE)
}

interface Test {
  readonly tested: Extract<TestOutcome, { readonly outcome: 'tested' }> | null
  readonly error: ErrorInfo | null
  readonly isTesting: boolean
  readonly test: () => Promise<void>
}

/** Tests a definition on a sample, without saving anything. */
export function useTest(
  database: string,
  definition: DefinitionText,
  onFaults: (faults: readonly DefinitionFault[]) => void,
): Test {
  const capture = useCapture()
  const [tested, setTested] = useState<Test['tested']>(null)
  const [error, setError] = useState<ErrorInfo | null>(null)
  const [isTesting, setTesting] = useState(false)
  const test = async (): Promise<void> => {
    setTesting(true)
    onFaults([])
    setTested(null)
    setError(null)
    try {
      const outcome = await capture.request('definitions.test', { database, definition, documents: SAMPLE })
      if (outcome.outcome === 'faults') onFaults(outcome.faults)
      else setTested(outcome)
    } catch (thrown) {
      if (thrown instanceof CaptureError) setError(thrown.info)
    }
    setTesting(false)
  }
  return { tested, error, isTesting, test }
}
