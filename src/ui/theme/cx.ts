/** Joins class names; ignores values that are not strings. */
export const cx = (...names: readonly (string | false | null | undefined)[]): string =>
  names.filter((name) => typeof name === 'string' && name !== '').join(' ')
