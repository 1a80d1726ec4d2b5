/** Maximum length of a cause; a longer text is a history of the cluster. */
const MOST_CHARACTERS = 1000

/**
 * Innermost cause in the text of a .NET exception, without type names; null: there is no text. The outer text of a
 * refusal within the cluster is always “Cluster is probably down”, whatever the cause.
 */
export function innermostCause(errorText: string | null): string | null {
  if (errorText === null || errorText.trim() === '') return null
  // The chain of causes precedes the first stack line; an exception that was never thrown has none.
  const chain = errorText.split(/\r?\n\s+(?:at |--- End of inner )/)[0] ?? errorText
  const last = chain.split(/\s*--->\s*/).findLast((part) => part.trim() !== '') ?? chain
  const text = last.replace(/^\(?(?:[A-Za-z_]\w*\.)+[\w`+]+(?:Exception|Error)\w*(?: \([\w-]+\))?\)?:\s*/, '').trim()
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
}
