/** Name of the file for an attachment, whose name may be a path, also one that ends in a slash. */
export const fileNameOf = (name: string): string =>
  name.split('/').findLast((part) => !/^[\s.]*$/.test(part)) ?? 'attachment'
