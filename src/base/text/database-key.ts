/**
 * The same for names of one database: RavenDB compares them without regard to case, letter by letter. A letter whose capital
 * is several (`ß`), or one of ASCII (`ı`, `ſ`), has none for the server.
 */
export const databaseKey = (name: string): string => Array.from(name, capitalOf).join('')

function capitalOf(letter: string): string {
  const capital = letter.toUpperCase()
  const isOne = capital.length === letter.length
  const leavesAscii = letter > '\u007f' && capital <= '\u007f'
  return isOne && !leavesAscii ? capital : letter
}
