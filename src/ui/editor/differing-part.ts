export interface TextChange {
  readonly from: number
  readonly to: number
  readonly insert: string
}

/** The smallest replacement between two texts: cursor and folds outside of it are kept. */
export function differingPart(before: string, after: string): TextChange {
  const least = Math.min(before.length, after.length)
  let from = 0
  while (from < least && before.charCodeAt(from) === after.charCodeAt(from)) from += 1
  let end = 0
  while (end < least - from && before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end))
    end += 1
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) }
}
