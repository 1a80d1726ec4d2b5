import type { Bytes } from '../../base/brand.ts'
import type { SourceId, SourcePhase, SourceRef, SourceState } from './state.ts'

/** Initial state of a source, without any data. */
export const newState = (id: SourceId, ref: SourceRef, phase: SourcePhase, sinceMs: number): SourceState => ({
  id,
  ref,
  phase,
  sinceMs,
  message: '',
  retryAtMs: null,
  error: null,
  lastReceivedMs: null,
  frames: 0,
  bytes: 0 as Bytes,
  spans: [],
})
