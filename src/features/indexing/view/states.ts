import { BATCH_STATES, type BatchState } from '../../../feeds/indexing/contract/batches.ts'

export interface StateLook {
  readonly title: string
  /** Explanation for the legend. */
  readonly meaning: string
}

/** Names of batch states; `draw-batches.ts` and `StateSwatch.tsx` both draw them. */
export const STATE_LOOKS: Record<BatchState, StateLook> = {
  worked: { title: 'With documents', meaning: 'it had something to do and completed; the more bytes, the brighter' },
  empty: { title: 'Empty', meaning: 'the index woke and found nothing; a thin line' },
  failed: { title: 'Failed documents', meaning: 'it completed, and at least one document failed; cut across' },
  training: {
    title: 'Dictionary training',
    meaning: 'the first pass of a new Corax index: documents were read to train its compression, and not indexed',
  },
  running: { title: 'Running', meaning: 'not completed in the last report; open at its end' },
  waiting: {
    title: 'Waiting',
    meaning: 'for the limit of indexes that may run at once; hatched, as the waiting part of a completed batch is',
  },
  lost: { title: 'Never completed', meaning: 'as far as is known: the database was unloaded meanwhile; dashed' },
}

export const stateOf = (code: number): BatchState => BATCH_STATES[code] ?? 'lost'
