import { RawRouter } from '../capture/raw/router.ts'
import type { RawSource } from '../capture/reading/files.ts'
import { stubCapture } from './stub-capture.ts'
import type { StubCapture } from './stub-capture.ts'

const NAMES = ['status', 'rows', 'rowOf', 'children', 'path', 'value', 'search', 'endSearch', 'hit', 'leave', 'stop']

/** A stub capture whose raw viewer is the real one of the worker, over sources that the test names. */
export function rawCapture(source: (file: number, entry: string | null) => RawSource): StubCapture {
  const capture = stubCapture()
  const router = new RawRouter((file, entry) => Promise.resolve().then(() => source(file, entry)))
  const never = new AbortController().signal
  for (const name of NAMES) capture.answers.set(`raw.${name}`, (ask) => router.answer(`raw.${name}`, ask, never))
  return capture
}
