import type { ReactNode } from 'react'
import { formatCount } from '../../../../base/text/format.ts'
import { ReadAge } from '../../../../capture/database-details/ReadAge.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { useNarrow } from '../../../../ui/hooks/useNarrow.ts'
import { cx } from '../../../../ui/theme/cx.ts'
import type { Collections } from '../../contract.ts'
import styles from '../documents.module.css'

interface CollectionListProps {
  readonly collections: Collections
  /** Selected collection; null: all documents. */
  readonly chosen: string | null
  readonly onChoose: (collection: string | null) => void
}

/** Collections with the server's document counts and the age of the counts. */
export function CollectionList({
  collections: { collections, documents, atMs },
  chosen,
  onChoose,
}: CollectionListProps): ReactNode {
  const isNarrow = useNarrow()
  const isGone = chosen !== null && collections.every(({ name }) => name !== chosen)
  const all = [{ name: null, documents }, ...collections, ...(isGone ? [{ name: chosen, documents: 0 }] : [])]
  if (isNarrow)
    return (
      <Select
        label="Collection"
        value={chosen ?? ''}
        options={all.map(({ name, documents: count }) => ({
          value: name ?? '',
          text: `${name ?? 'All documents'} (${formatCount(count)})`,
        }))}
        onChange={(name) => onChoose(name === '' ? null : name)}
      />
    )
  return (
    <nav className={cx('column', styles.collections)} aria-label="Collections">
      {all.map(({ name, documents: count }) => (
        <button
          key={name ?? ''}
          type="button"
          className={styles.collection}
          aria-current={name === chosen}
          onClick={() => onChoose(name)}
        >
          <span className={styles.name}>{name ?? 'All documents'}</span>
          <span className="faint">{formatCount(count)}</span>
        </button>
      ))}
      <ReadAge readMs={atMs} />
    </nav>
  )
}
