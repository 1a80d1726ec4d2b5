/**
 * Key by which database names are compared. RavenDB ignores case, character by character; a character with several
 * capitals (`ß`), or whose capital is ASCII (`ı`, `ſ`), has no other case for the server.
 */
export const databaseKey = (name: string): string => Array.from(name, capitalOf).join('')

function capitalOf(letter: string): string {
  const capital = letter.toUpperCase()
  const isOne = capital.length === letter.length
  const leavesAscii = letter > '\u007f' && capital <= '\u007f'
  return isOne && !leavesAscii ? capital : letter
}
