import type { ReactNode } from 'react'
import { groupBy } from '../../../base/columns/group-by.ts'
import { Badge } from '../../../ui/Badge.tsx'
import styles from './lacking.module.css'
import { cx } from '../../../ui/theme/cx.ts'

/** Missing figures, as the server feed reports them. */
interface Lacking {
  readonly kind: 'right' | 'version' | 'licence' | 'error'
  readonly what: string
  readonly endpoint: string
  readonly message: string
}

const KINDS: Record<Lacking['kind'], string> = {
  right: 'right missing',
  version: 'not in this version',
  licence: 'licence',
  error: 'failed',
}

/** Lists what is not shown and what it requires: each requirement once, with everything that it would show. */
export function LackingNote({ lacking }: { readonly lacking: readonly Lacking[] }): ReactNode {
  if (lacking.length === 0) return null
  return (
    <details className={cx('note', styles.lacking)}>
      <summary>Not shown here: {lacking.map((each) => each.what).join('; ')}</summary>
      <ul className={styles.list}>
        {groupBy(lacking, (each) => `${each.kind} ${each.message}`).map(([key, group]) => (
          <li key={key}>
            <Need group={group} />
          </li>
        ))}
      </ul>
    </details>
  )
}

function Need({ group }: { readonly group: readonly [Lacking, ...Lacking[]] }): ReactNode {
  const [first] = group
  return (
    <>
      <Badge>{KINDS[first.kind]}</Badge> <b>{group.map(({ what }) => what).join('; ')}</b>: {first.message}{' '}
      <code className="faint">{group.map(({ endpoint }) => endpoint).join(' ')}</code>
    </>
  )
}
