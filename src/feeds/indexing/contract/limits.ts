/** Maximum duration that is accepted: ten years. A longer one is an invalid number, not a slow batch. */
export const MAX_SPAN_MS = 10 * 365 * 86_400_000

/** Number of batches that the server keeps per index (5.4, 6.2 and 7.1). */
export const RING_BATCHES = 25

/** Budget that a batch may use without a request, and the step that a grant adds to its use (5.4, 6.2 and 7.1). */
export const INITIAL_BUDGET_BYTES = 32 * 1024 * 1024
export const BUDGET_STEP_BYTES = 16 * 1024 * 1024

/** Number of documents between two checks of a batch's memory use (5.4, 6.2 and 7.1). */
export const CHECK_EVERY_DOCUMENTS = 128

/** Prefix of the server's name for an index that is built side by side to replace another one. */
export const REPLACEMENT = 'ReplacementOf/'

/**
 * Number of batches with a budget that are enough to decide whether a budget was kept: with a third of it in use, by
 * chance (`finished/kept-budgets.ts`).
 */
export const ENOUGH_BATCHES = 15

/** Maximum number of separate indexes over all sources: a cluster of 300 databases with 30 indexes each has 9,000. */
export const INDEX_LIMITS = { indexes: 10_000 }
/** Name of the single index that combines the indexes of a source beyond the limit. Their batches are still counted. */
export const FURTHER_INDEXES = '(further indexes)'

/**
 * Maximum number of separate operations of one batch; a Corax index of a hundred fields has some hundred. Further ones
 * are combined into one operation of their parent, with their time.
 */
export const MOST_NODES = 4000
/** Name of the operation that combines those beyond `MOST_NODES`. */
export const FURTHER_OPERATIONS = '(further operations)'
