// @ts-check
/** The runtime's own list of compiled methods (`DOTNET_PerfMapEnabled=1`), to check names against. */

/**
 * Both tools write types of parameters in words of their own, so a call is named by module, type, method and the number
 * of parameters.
 * @typedef {string} Call such as `Voron!Voron.Data.BTrees.Tree.DirectRead/1`
 */

/**
 * @param {string} frame as the helper writes it
 * @returns {Call}
 */
export function callOf(frame) {
  // a name holds no bracket of this kind, a signature begins with one
  const open = frame.indexOf('(')
  return `${frame.slice(0, open)}/${countParameters(frame.slice(open + 1, frame.lastIndexOf(')')))}`
}

/**
 * @param {string} text lines such as `0x7f28 11b instance bool [Voron] Voron.Tree::Read(int32,object)[Optimized]`
 * @returns {(address: number) => Call | undefined} undefined where no managed method is known
 */
export function perfMap(text) {
  /** @type {{ start: number, end: number, call: Call }[]} */
  const methods = []
  for (const [, start = '', size = '', module, type, method, parameters = ''] of text.matchAll(
    /^(?:0x)?([0-9a-f]+) ([0-9a-f]+) .*?\[([^\]]{2,})\] (\S*)::(\S+?)\((.*)\)(?:\[\w+\])?$/gim,
  )) {
    const from = Number.parseInt(start, 16)
    const call = `${module}!${type}.${method}/${countParameters(parameters)}`
    methods.push({ start: from, end: from + Number.parseInt(size, 16), call })
  }
  // code that was thrown away may have made room for other code: the latest counts
  return (address) => methods.findLast(({ start, end }) => start <= address && address < end)?.call
}

/**
 * @param {string} list types, separated by commas; generic arguments, arrays and functions hold commas of their own
 * @returns {number}
 */
function countParameters(list) {
  if (list.trim() === '') return 0
  let depth = 0
  let count = 1
  for (const letter of list) {
    if ('<[('.includes(letter)) depth++
    else if ('>])'.includes(letter)) depth--
    else if (letter === ',' && depth === 0) count++
  }
  return count
}
