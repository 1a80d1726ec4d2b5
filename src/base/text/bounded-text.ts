import { textHash } from './text-hash.ts'

/** Longest name that is kept whole, in UTF-16 units: paths of operating systems end at 4,096 bytes. */
export const MOST_NAME_LENGTH = 4096
const KEPT_LENGTH = 1000

/** A name from outside, of a bounded length. One that is too long keeps its beginning and a mark of its own, so that two stay two. */
export const boundedName = (name: string): string =>
  name.length <= MOST_NAME_LENGTH
    ? name
    : `${name.slice(0, KEPT_LENGTH)}… (${name.length} characters, ${textHash(name).toString(36)})`
