import { capitalise, formatPlural } from '../../../../base/text/format.ts'
import { groupBy } from '../../../../base/columns/group-by.ts'
import type { TriageRule } from '../facts.ts'
import { toServer, always, sentence, arrived } from './helpers.ts'

/* Rules on missing rights. */

export const licence: TriageRule = {
  rule: 'licence',
  title: 'The licence sets a limit',
  reason:
    'An expired licence is reduced by the server; a limit that was met refuses what goes beyond it (402). Running without a licence is no fault.',
  unknown: ({ now }) => arrived(now.server.licence, 'No licence data yet.'),
  find: ({ now: { server, watch } }) => {
    const met = watch.lacking.filter((lacking) => lacking.kind === 'licence')
    const expired = server.licence?.expired === true
    if (!expired && met.length === 0) return []
    return [
      {
        level: expired ? 'warning' : 'info',
        weight: 0.3,
        title: expired
          ? 'The licence of the server has expired.'
          : 'The licence does not include everything that was asked.',
        evidence: expired ? [server.licence.status] : met.map(({ what, message }) => `${sentence(what)} ${message}`),
        link: toServer('machine'),
      },
    ]
  },
}

export const rights: TriageRule = {
  rule: 'rights',
  title: 'The certificate lacks a right',
  reason: 'What it may not see is not judged here: calm is then only as calm as what is seen.',
  unknown: always,
  find: ({ now: { watch } }) => {
    const missing = watch.lacking.filter((lacking) => lacking.kind === 'right')
    if (missing.length === 0) return []
    return [
      {
        level: 'info',
        weight: 0.1,
        title: `The certificate may not see ${formatPlural(missing.length, 'thing')}.`,
        evidence: groupBy(missing, ({ message }) => message).map(
          ([message, group]) => `${capitalise(sentence(group.map(({ what }) => what).join(', ')))} ${message}`,
        ),
        link: toServer('machine'),
      },
    ]
  },
}
