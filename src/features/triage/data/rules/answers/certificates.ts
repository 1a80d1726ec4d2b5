import { formatCount, formatPlural } from '../../../../../base/text/format.ts'
import { TICKS_PER_MS, type Ticks } from '../../../../../base/ticks.ts'
import type { ListedCertificate } from '../../../../../ravendb/answers/server-answers.ts'
import { DAY_MS, span, toServer } from '../helpers.ts'
import type { Finding, TriageRule } from '../../facts.ts'
import { ofOwn, someOf, unlessOwn } from './helpers.ts'

/** Days before its end from which on a certificate has to be renewed. */
const SOON_DAYS = 14

const leftMs = ({ endTicks }: ListedCertificate, nowTicks: Ticks): number =>
  endTicks === null ? Number.POSITIVE_INFINITY : (endTicks - nowTicks) / TICKS_PER_MS

/** Describes the end of a certificate: `ended 3 d ago`, `ends in 5 h`. */
const endWords = (ms: number): string => (ms < 0 ? `ended ${span(-ms)} ago` : `ends in ${span(ms)}`)

export const certificatesEnd: TriageRule = {
  rule: 'certificates',
  title: 'A certificate ends',
  reason:
    'Connections by a certificate that has ended are refused; with that of the server no client connects any more.',
  when: `Reported from ${SOON_DAYS} days before its end on, of the server and of the clients that it knows.`,
  unknown: unlessOwn('certificates'),
  find: (facts) =>
    ofOwn(facts, 'certificates', (all): Finding[] => {
      const link = toServer('machine')
      const soon = all
        .map((each) => ({ ...each, ms: leftMs(each, facts.nowTicks) }))
        .filter(({ ms }) => ms < SOON_DAYS * DAY_MS)
        .toSorted((a, b) => a.ms - b.ms)
      const clients = soon.filter(({ isServer }) => !isServer)
      const ended = clients.filter(({ ms }) => ms < 0).length
      const [only] = clients
      return [
        ...soon
          .filter(({ isServer }) => isServer)
          .map(({ ms }): Finding => ({
            about: 'server',
            level: ms < DAY_MS ? 'critical' : 'warning',
            weight: 0.7,
            title: `The certificate of the server ${endWords(ms)}.`,
            evidence: [],
            link,
          })),
        ...(only === undefined
          ? []
          : [
              {
                about: 'clients',
                level: ended === clients.length ? ('info' as const) : ('warning' as const),
                weight: 0.35,
                title:
                  clients.length === 1
                    ? `The client certificate “${only.name}” ${endWords(only.ms)}.`
                    : `${formatPlural(clients.length, 'client certificate')} ended, or will within ${formatCount(SOON_DAYS)} days.`,
                evidence:
                  clients.length === 1 ? [] : someOf(clients.map(({ name, ms }) => `“${name}” ${endWords(ms)}.`)),
                link,
              },
            ]),
      ]
    }),
}
