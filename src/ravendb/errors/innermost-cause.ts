/** Maximum length of a cause; a longer text is a history of the cluster. */
const MOST_CHARACTERS = 1000

/** Exceptions whose message names only an operation: the one around them says of what. */
const BARE = /^\(?System\.(?:Overflow|NullReference|IndexOutOfRange|InvalidCast)Exception\b/

/**
 * Innermost cause in the text of a .NET exception, without type names; null: there is no text. The outer text of a
 * refusal within the cluster is always “Cluster is probably down”, whatever the cause.
 */
export function innermostCause(errorText: string | null): string | null {
  if (errorText === null || errorText.trim() === '') return null
  // The chain of causes precedes the first stack line; an exception that was never thrown has none.
  const chain = errorText.split(/\r?\n\s+(?:at |--- End of inner )/)[0] ?? errorText
  const causes = chain.split(/\s*--->\s*/).filter((part) => part.trim() !== '')
  const last = causes.findLast((part) => !BARE.test(part)) ?? causes.at(-1) ?? chain
  const text = last.replace(/^\(?(?:[A-Za-z_]\w*\.)+[\w`+]+(?:Exception|Error)\w*(?: \([\w-]+\))?\)?:\s*/, '').trim()
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
}
