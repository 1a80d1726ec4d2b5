/** Text of a new document; the collection that is shown is that of the document. */
export const newText = (collection: string | null): string =>
  collection === null || collection === '@empty'
    ? '{\n    \n}'
    : `{\n    \n    "@metadata": {\n        "@collection": ${JSON.stringify(collection)}\n    }\n}`
