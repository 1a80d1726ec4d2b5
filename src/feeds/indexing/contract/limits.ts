/** Longest span that is believed: ten years. A longer one is a broken number and not a slow batch. */
export const MAX_SPAN_MS = 10 * 365 * 86_400_000

/** Batches that the server keeps of each index (5.4, 6.2 and 7.1). */
export const RING_BATCHES = 25

/** Budget that a batch may use without a request; and the step that is granted on top of its use (5.4, 6.2 and 7.1). */
export const INITIAL_BUDGET_BYTES = 32 * 1024 * 1024
export const BUDGET_STEP_BYTES = 16 * 1024 * 1024

/** A batch checks its use after every so many documents (5.4, 6.2 and 7.1). */
export const CHECK_EVERY_DOCUMENTS = 128

/** Prefix of the server's name for an index that is built beside another to replace it. */
export const REPLACEMENT = 'ReplacementOf/'

/**
 * Number of batches with a budget that is enough for a verdict on a kept one: at a third of it in use, by chance
 * (`finished/kept-budgets.ts`).
 */
export const ENOUGH_BATCHES = 15

/** Indexes that are kept apart, of all sources: a cluster of 300 databases with 30 each has 9,000. */
export const INDEX_LIMITS = { indexes: 10_000 }
/** Indexes of a source beyond the limit, as one; their batches stay counted. */
export const FURTHER_INDEXES = '(further indexes)'

/**
 * Operations of one batch that are kept apart; a Corax index of a hundred fields has some hundred. Further ones are one
 * operation of their parent, with their time.
 */
export const MOST_NODES = 4000
/** Name for the operations beyond `MOST_NODES`. */
export const FURTHER_OPERATIONS = '(further operations)'
