import { useState } from 'react'

interface Attempts {
  /** Why the last attempt failed, as a sentence; null: it did not, or goes on. */
  readonly failure: string | null
  /** Does what the user asked for. `what`: what failed then, as in “Could not resume”. */
  readonly attempt: (what: string, run: () => Promise<unknown>) => void
}

/** What a click begins and the worker does: where it fails, the user is told beside it. */
export function useAttempt(): Attempts {
  const [failure, setFailure] = useState<string | null>(null)
  const attempt: Attempts['attempt'] = (what, run) => {
    setFailure(null)
    run().catch((error: unknown) => setFailure(`${what}: ${error instanceof Error ? error.message : String(error)}`))
  }
  return { failure, attempt }
}
