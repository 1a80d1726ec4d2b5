import { textHash } from './text-hash.ts'

/** Maximum length of a name that is kept whole, in UTF-16 units. Operating systems limit paths to 4,096 bytes. */
export const MOST_NAME_LENGTH = 4096
const KEPT_LENGTH = 1000

/** Bounds the length of a foreign name: its beginning with a hash, so that different names stay different. */
export const boundedName = (name: string): string =>
  name.length <= MOST_NAME_LENGTH
    ? name
    : `${name.slice(0, KEPT_LENGTH)}… (${name.length} characters, ${textHash(name).toString(36)})`
