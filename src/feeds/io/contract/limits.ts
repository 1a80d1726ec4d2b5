/**
 * Limits of what a capture keeps apart; events beyond are folded together and stay counted, one by one. Objects here
 * cost kilobytes where an event costs bytes: a hostile file has a million environments in 216 MB.
 */
export const IO_LIMITS = {
  /** Storage environments, of all sources: a cluster of 300 databases with 30 indexes each has 9,600. */
  lanes: 10_000,
  /** Kinds of events: servers have five. */
  kinds: 32,
  /** Kinds of lanes with events of their own, over all lanes. */
  tracks: 1 << 16,
  /** Files, over all lanes: journals of days. */
  files: 200_000,
  /** Roll-ups, over all lanes; servers keep at most 256 of a file and kind. */
  rollUps: 200_000,
}

/** Environments of a source beyond the limit, as one. */
export const FOLDED_PATH = '(further environments)'
export const FOLDED_TYPE = 'Folded'
/** Kinds beyond the limit, as one. */
export const FOLDED_KIND = 'Further kinds'
export const FOLDED_FILE_NAME = '(further files)'

/** Id of the file that represents all files of a lane which are not kept apart. */
export const FOLDED_FILE = -2
/** Column FILE of an event that is folded: not less than this, by what it came from, so that two that are alike stay two. */
export const FIRST_FOLDED = 0x8000_0000

/** Whether a value of column FILE is of the requested file, which may stand for many. */
export const isOfFile = (file: number, value: number): boolean =>
  value === file || (file === FOLDED_FILE && value >= FIRST_FOLDED)
