/**
 * Limits of what a capture stores separately; events beyond them are folded together and still counted individually.
 * Objects here cost kilobytes, whereas an event costs bytes: a hostile file has a million environments in 216 MB.
 */
export const IO_LIMITS = {
  /** Storage environments of all sources: a cluster of 300 databases with 30 indexes each has 9,600. */
  lanes: 10_000,
  /** Kinds of events; servers have five. */
  kinds: 32,
  /** Lane kinds with their own events, over all lanes. */
  tracks: 1 << 16,
  /** Files over all lanes; enough for journals of several days. */
  files: 200_000,
  /** Roll-ups over all lanes; servers keep at most 256 per file and kind. */
  rollUps: 200_000,
}

/** Path under which a source's environments beyond the limit are combined. */
export const FOLDED_PATH = '(further environments)'
export const FOLDED_TYPE = 'Folded'
/** Name under which kinds beyond the limit are combined. */
export const FOLDED_KIND = 'Further kinds'
export const FOLDED_FILE_NAME = '(further files)'

/** Id of the file that represents all files of a lane that are not stored separately. */
export const FOLDED_FILE = -2
/**
 * Minimum value of column FILE for a folded event. The value depends on the event's origin, so that equal events of two
 * origins remain two.
 */
export const FIRST_FOLDED = 0x8000_0000

/** Whether a value of column FILE belongs to the requested file, which may represent many files. */
export const isOfFile = (file: number, value: number): boolean =>
  value === file || (file === FOLDED_FILE && value >= FIRST_FOLDED)
