import { RawRouter } from '../capture/raw/router.ts'
import type { RawRequests } from '../capture/raw/queries.ts'
import type { RawSource } from '../capture/reading/files.ts'
import { stubCapture } from './stub-capture.ts'
import type { StubCapture } from './stub-capture.ts'

/** A stub capture whose raw viewer is the real one of the worker, over sources that the test names. */
export function rawCapture(source: (file: number, entry: string | null) => RawSource): StubCapture {
  const capture = stubCapture()
  const { responses } = new RawRouter((file, entry) => Promise.resolve().then(() => source(file, entry)))
  const handlers: Readonly<Record<string, (params: never, governor: never, signal: AbortSignal) => unknown>> = responses
  const never = new AbortController().signal
  for (const [name, handle] of Object.entries(handlers))
    capture.responses.set(name as keyof RawRequests, (params) => handle(params as never, undefined as never, never))
  return capture
}
