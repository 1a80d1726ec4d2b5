import { expect, it } from 'vitest'
import { RIGHTS } from '../ravendb/errors/error-texts.ts'
import { parseVersion } from '../ravendb/versions.ts'
import type { Action, ActionCall } from './model.ts'
import { ACTIONS, actionById } from './table.ts'
import { writeRequestOf } from './write-request.ts'

/** `docs/actions.md` is made from the table: `vitest run src/actions -u` renews it. */

const VERSION = parseVersion({ FullVersion: '7.1.5' })
const CONFIRM = { none: 'none, at once', confirm: 'a dialog', 'type-name': 'a dialog, the name is typed' } as const

const callOf = ({ id, target, presets, fields }: Action): ActionCall => ({
  action: id,
  target: {
    kind: target,
    database: target === 'server' ? null : 'DATABASE',
    name: target === 'database' || target === 'server' ? null : target === 'query' ? 'ID INDEX' : 'NAME',
  },
  inputs: {
    ...presets?.[0]?.inputs,
    ...Object.fromEntries((fields ?? []).map(({ name }) => [name, name.toUpperCase()])),
  },
  facts: { priority: 'Normal', lock: 'Unlock' },
})

const BESIDE = {
  'index-batches': 'the batches of the index',
  server: 'CPU of the server',
  io: 'I/O of the environment',
}

function effectWords({ measure, recorded }: Action): string | null {
  const parts = [
    ...(measure === undefined ? [] : [measure.what]),
    ...(recorded === undefined ? [] : [`${BESIDE[recorded.kind]}, as recorded`]),
  ]
  return parts.length === 0 ? null : `${parts.join('; ')}; before and after`
}

function section(action: Action): string {
  const call = callOf(action)
  const { method, path, body } = writeRequestOf(action, call, VERSION)
  const inverse = action.inverse?.(call) ?? null
  const facts: readonly (readonly [string, string | null])[] = [
    [
      'Request',
      `\`${method} ${path}\`${body === null ? '' : ` with \`${JSON.stringify(body)}\``}${action.payload === undefined ? '' : `, whose body is ${action.payload}, which the activity does not keep`}${action.transfer === undefined ? '' : action.transfer === 'upload' ? ' in a form, before a file' : ', which brings a file'}${action.isLong === true ? ', then until it ends' : ''}`,
    ],
    [
      'Needs',
      `${RIGHTS[action.right]}${action.serverRight === undefined ? '' : `; on the server’s own ${RIGHTS[action.serverRight]}`}${action.since === undefined ? '' : `; RavenDB ${action.since.join('.')}`}${action.licence === undefined ? '' : `; \`${action.licence}\` of the licence`}`,
    ],
    [
      'Confirmation',
      `${CONFIRM[action.confirm]}${action.confirmsAt === undefined ? '' : '; a dialog where something is lost, or that is not known'}`,
    ],
    ['Already gone', action.removes === true ? 'read before the request, which is not sent then' : null],
    ['Not sent', action.refuses === undefined ? null : `where ${action.refuses.where}; read right before each request`],
    ['Choices', action.presets === undefined ? null : action.presets.map(({ text }) => text).join(', ')],
    ['Consequence', action.consequence(call, VERSION)],
    ['Can be lost', action.loss(call, VERSION)],
    ['When it fails', action.onFailure.leaves],
    ['Final state', action.read],
    ['Effect', effectWords(action)],
    ['Undone by', inverse === null ? null : (actionById(inverse.action)?.title ?? null)],
  ]
  const lines = facts.flatMap(([label, text]) => (text === null ? [] : [`- ${label}: ${text}`]))
  return [`### ${action.title} (\`${action.id}\`)`, '', ...lines].join('\n')
}

/** A dash: nothing can be lost. */
const failures = (): string =>
  [
    '## When it fails',
    'Failures were provoked on 7.1.5, 6.2.4 and 5.4.207: by a wrong name or target, and of what writes for long by a full disk and a killed server. Another client looked at what was left.',
    [
      '| action | leaves behind | can be lost |',
      '| --- | --- | --- |',
      ...ACTIONS.map(
        ({ id, title, onFailure: { leaves, loses } }) =>
          `| ${title} (\`${id}\`) | ${leaves} | ${loses?.(VERSION) ?? '–'} |`,
      ),
    ].join('\n'),
  ].join('\n\n')

it('docs/actions.md lists the actions of the table', async () => {
  const targets = [...new Set(ACTIONS.map(({ target }) => target))]
  const parts = targets.flatMap((target) => {
    const sections = ACTIONS.filter((action) => action.target === target).map(section)
    return [`## ${target.charAt(0).toUpperCase()}${target.slice(1)}`].concat(sections)
  })
  const text = [
    '# Actions',
    'What Rookery can change on a server, made from `src/actions/table.ts` by `npx vitest run src/actions -u`. Requests are those of RavenDB 7.1. No other request that changes something is sent, and none in view-only mode.',
    ...parts,
    failures(),
  ].join('\n\n')
  await expect(`${text}\n`).toMatchFileSnapshot('../../docs/actions.md')
})
