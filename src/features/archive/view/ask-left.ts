import type { AskEngine } from './ask/engine.ts'
import type { Asked } from './asked.ts'

/** Typed SQL, and its answer if there is one. */
interface AskLeft {
  readonly sql: string
  readonly asked: Asked | null
}

let left: AskLeft | null = null
let engine: AskEngine | null = null

/**
 * SQL and answer as the panel was left, so that the way back from the timeline shows them again; null: it was not
 * shown yet. They last as long as the page: no server is behind a recording for which a draft could be stored.
 */
export const askLeft = {
  get: (): AskLeft | null => left,
  set: (next: AskLeft | null): void => {
    left = next
  },
  /** Engine that was loaded into the page; null: none. */
  engine: (): AskEngine | null => engine,
  setEngine: (next: AskEngine | null): void => {
    engine = next
  },
}
