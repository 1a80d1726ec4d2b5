/** Text of a new document, in the collection that is shown. */
export const newText = (collection: string | null): string =>
  collection === null || collection === '@empty'
    ? '{\n    \n}'
    : `{\n    \n    "@metadata": {\n        "@collection": ${JSON.stringify(collection)}\n    }\n}`

/** Id prefix for a clone: `id` up to its last slash. The server completes it. */
export const cloneId = (id: string): string => /^.*\//.exec(id)?.[0] ?? `${id}/`

/**
 * Collection that an id suggests by the default convention of clients: `users/1` belongs to `Users`. Null: the id has
 * no such prefix.
 */
export function suggestedCollection(id: string): string | null {
  const name = /^([\p{L}_][\p{L}\p{N}_-]*)[/|]/u.exec(id)?.[1]
  return name === undefined ? null : name.charAt(0).toUpperCase() + name.slice(1)
}

/** Note beside the id of a new document that explains how the server treats that id. */
export const idNote = (id: string): string =>
  id === ''
    ? 'Such as users/1. The server completes an id that ends with / or |.'
    : id.endsWith('/')
      ? 'The server completes this id with a number of its own.'
      : id.endsWith('|')
        ? 'The cluster completes this id with the next number.'
        : ''
