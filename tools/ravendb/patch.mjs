// @ts-check
/**
 * Replaces bytes in a file that must contain them exactly once.
 * @param {Buffer} file
 * @param {Buffer} from
 * @param {Buffer} to may be longer than `from`: it then overwrites what follows
 * @returns {Buffer} a patched copy, of the file's length
 * @throws {Error} unless `from` occurs exactly once
 */
export function patchOnce(file, from, to) {
  const at = file.indexOf(from)
  if (at < 0) throw new Error(`the bytes ${from.toString('hex')} are not there`)
  if (file.includes(from, at + 1)) throw new Error(`the bytes ${from.toString('hex')} are there more than once`)
  if (at + to.length > file.length) throw new Error('the replacement reaches beyond the end of the file')
  const copy = Buffer.from(file)
  to.copy(copy, at)
  return copy
}
