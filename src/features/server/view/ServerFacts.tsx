import type { ReactNode } from 'react'
import { formatCount, formatPlural, type Clock } from '../../../base/text/format.ts'
import { StateDot } from '../../../ui/Badge.tsx'
import type { ServerNow } from '../../../feeds/server/contract/now.ts'
import styles from './server.module.css'
import { describeUpTime } from './words.ts'
import { cx } from '../../../ui/theme/cx.ts'

interface ServerFactsProps {
  /** The server as reported; null while nothing is, and the room of the line is kept. */
  readonly now: ServerNow | null
  readonly clock: Clock
}

/** Identity of the server, in one line. */
export function ServerFacts({ now, clock }: ServerFactsProps): ReactNode {
  if (now === null) return <p className={cx('wrap note', styles.facts)} />
  const { server, databases } = now
  const facts = [
    server.version === null ? null : `RavenDB ${server.version}`,
    server.nodeTag === null ? null : server.nodeTag === '?' ? 'of no cluster yet' : `node ${server.nodeTag}`,
    server.os,
    describeUpTime(server, clock),
    databases === null
      ? null
      : `${formatCount(databases.online)} of ${formatPlural(databases.total, 'database')} loaded`,
    server.licence === null ? null : server.licence.type === 'None' ? 'no licence' : `licence ${server.licence.type}`,
  ]
  return (
    <p className={cx('wrap note', styles.facts)}>
      {facts.flatMap((fact) => (fact === null ? [] : [<bdi key={fact}>{fact}</bdi>]))}
      {server.licence?.expired === true ? <StateDot tone="error">licence expired</StateDot> : null}
    </p>
  )
}
