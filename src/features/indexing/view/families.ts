import type { OperationFamily } from '../../../feeds/indexing/contract/operations.ts'

/** Colour of a family: hue (degrees in OKLCH), chroma, and lightness relative to its neighbours. */
interface FamilyLook {
  readonly title: string
  readonly hueDegrees: number
  readonly chroma: number
  /** Steps of lightness, −1 … 1, so that neighbours differ by more than hue. */
  readonly lift: number
}

export const FAMILY_LOOKS: Record<OperationFamily | 'other', FamilyLook> = {
  indexing: { title: 'Batch', hueDegrees: 250, chroma: 0.02, lift: -0.6 },
  cleanup: { title: 'Clean-up of deleted documents', hueDegrees: 90, chroma: 0.05, lift: -0.5 },
  references: { title: 'References', hueDegrees: 190, chroma: 0.09, lift: -0.3 },
  map: { title: 'Map', hueDegrees: 255, chroma: 0.12, lift: 0 },
  reduce: { title: 'Reduce', hueDegrees: 300, chroma: 0.12, lift: 0 },
  linq: { title: 'The index’s own code', hueDegrees: 235, chroma: 0.1, lift: 0.6 },
  read: { title: 'Reading documents', hueDegrees: 150, chroma: 0.1, lift: 0.1 },
  store: { title: 'Storing results', hueDegrees: 125, chroma: 0.11, lift: 0.5 },
  lucene: { title: 'Lucene', hueDegrees: 60, chroma: 0.12, lift: 0.3 },
  corax: { title: 'Corax', hueDegrees: 80, chroma: 0.12, lift: 0.6 },
  commit: { title: 'Commit', hueDegrees: 20, chroma: 0.13, lift: -0.1 },
  collection: { title: 'A collection', hueDegrees: 255, chroma: 0.05, lift: -0.4 },
  field: { title: 'A field', hueDegrees: 40, chroma: 0.07, lift: 0.4 },
  wait: { title: 'Waiting', hueDegrees: 250, chroma: 0.01, lift: -0.8 },
  unknown: { title: 'A name that this studio does not know', hueDegrees: 340, chroma: 0.16, lift: 0.4 },
  other: { title: 'Other: unattributed', hueDegrees: 250, chroma: 0.008, lift: -1 },
}

export const FAMILY_ORDER = Object.keys(FAMILY_LOOKS) as (keyof typeof FAMILY_LOOKS)[]
