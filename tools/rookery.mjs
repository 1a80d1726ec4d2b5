#!/usr/bin/env node
// @ts-check
/** `npx rookery COMMAND`: commands that run beside servers. */
import './node.cjs'
import { fail, Plain } from './say.mjs'

const HELP = `
npx rookery COMMAND

  record   records servers into a folder: npx rookery record --server URL --to FOLDER
  open     shows such a folder in the studio: npx rookery open FOLDER

“npx rookery COMMAND --help” says more. “npm start” is the studio itself.
`

async function main() {
  const [command, ...rest] = process.argv.slice(2)
  if (command === 'record') await (await import('./record.mjs')).record(rest)
  else if (command === 'open') await (await import('./record/open.mjs')).open(rest)
  else if (command === undefined || command === '--help') process.stdout.write(`${HELP.trim()}\n`)
  else throw new Plain(`There is no command ${JSON.stringify(command)}: see npx rookery --help.`)
}

main().catch(fail)
