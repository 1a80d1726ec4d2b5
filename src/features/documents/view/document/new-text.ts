/** Text of a new document; the collection that is shown is that of the document. */
export const newText = (collection: string | null): string =>
  collection === null || collection === '@empty'
    ? '{\n    \n}'
    : `{\n    \n    "@metadata": {\n        "@collection": ${JSON.stringify(collection)}\n    }\n}`

/** Beginning of the id of a clone, up to the last slash of `id`: the server completes it. */
export const cloneId = (id: string): string => /^.*\//.exec(id)?.[0] ?? `${id}/`

/** Collection that an id suggests, as clients name it by default: `users/1` is of `Users`. Null: the id has no such beginning. */
export function suggestedCollection(id: string): string | null {
  const name = /^([\p{L}_][\p{L}\p{N}_-]*)[/|]/u.exec(id)?.[1]
  return name === undefined ? null : name.charAt(0).toUpperCase() + name.slice(1)
}

/** Note beside the id of a new document: what the server does with it. */
export const idNote = (id: string): string =>
  id === ''
    ? 'Such as users/1. The server completes an id that ends with / or |.'
    : id.endsWith('/')
      ? 'The server completes this id with a number of its own.'
      : id.endsWith('|')
        ? 'The cluster completes this id with the next number.'
        : ''
