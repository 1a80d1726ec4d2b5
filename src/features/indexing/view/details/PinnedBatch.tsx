import type { ReactNode } from 'react'
import { formatDuration, formatPlural, formatShare, type Clock } from '../../../../base/text/format.ts'
import { TargetMenu } from '../../../../actions/view/TargetMenu.tsx'
import { ListExport } from '../../../../capture/exporting/ListExport.tsx'
import { parseSourceId, type ErrorInfo } from '../../../../capture/client/state.ts'
import { IconButton } from '../../../../ui/controls/Button.tsx'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { FactLines } from '../../../../ui/FactLines.tsx'
import { BatchTitle } from './BatchFacts.tsx'
import { BatchIo } from './BatchIo.tsx'
import { splitIndexKey } from '../../../../feeds/indexing/contract/batch-ref.ts'
import cardStyles from '../../../../ui/card.module.css'
import styles from './card.module.css'
import { FamilySwatch } from '../FamilySwatch.tsx'
import { NODE_COLUMNS } from '../lists.ts'
import type { IndexingPalette } from '../palette.ts'
import type { BatchCard } from '../../../../feeds/indexing/contract/batch-card.ts'
import type { BatchRef } from '../../../../feeds/indexing/contract/batches.ts'
import { cardLines, cardText, leftOutText } from '../words.ts'
import { cx } from '../../../../ui/theme/cx.ts'

export interface PinnedBatchProps {
  readonly selected: BatchRef
  readonly card: BatchCard | null
  /** Whether the response has arrived. */
  readonly known: boolean
  readonly error: ErrorInfo | null
  readonly clock: Clock
  readonly palette: IndexingPalette
  readonly version: number
  readonly onClose: () => void
}

/** Everything about the selected batch, which is also in the link. */
export function PinnedBatch(props: PinnedBatchProps): ReactNode {
  const { selected, card, known, error, clock, palette, version } = props
  const { source, name } = splitIndexKey(selected.index)
  const ref = parseSourceId(source)
  return (
    <section className={cx('stack', cardStyles.pinned)} aria-label="Selected batch">
      <div className={cardStyles.head}>
        <BatchTitle name={name} state={card?.state ?? 'worked'} />
        <IconButton small icon="close" label="Unpin" onClick={props.onClose} />
      </div>
      {card === null ? (
        <p>
          {error !== null
            ? error.message
            : known
              ? 'This batch is not in what was seen here: the link may come from another capture, or its index was not watched.'
              : 'Loading …'}
        </p>
      ) : (
        <>
          <FactLines lines={cardLines(card, clock)} />
          <div className={styles.treeBox} role="group" aria-label="Operations of the batch" tabIndex={0}>
            <ol className={styles.tree} aria-label="Operations, in order">
              {card.operations.map((node, i) =>
                node.parent < 0 ? null : (
                  // oxlint-disable-next-line react/no-array-index-key -- a tree has one order, and names repeat
                  <li key={i} className={styles.node} style={{ paddingInlineStart: `${(node.depth - 1) * 0.75}rem` }}>
                    <FamilySwatch family={node.family} palette={palette} />
                    <bdi
                      title={node.details.map((each) => `${each.name}: ${each.value ?? 'not measured'}`).join(' · ')}
                    >
                      {node.name}
                    </bdi>
                    <span>{formatDuration(node.durationTicks)}</span>
                    <span className={styles.share}>{formatShare(node.durationTicks / card.durationTicks)}</span>
                  </li>
                ),
              )}
            </ol>
          </div>
          {card.unlisted.count === 0 ? null : (
            <p>
              {formatPlural(card.unlisted.count, 'shorter operation')}, {formatDuration(card.unlisted.selfTicks)}{' '}
              together, are not listed.
            </p>
          )}
          {card.operationsLeftOut === 0 ? null : <p>{leftOutText(card.operationsLeftOut)}</p>}
          <BatchIo card={card} version={version} />
          <div className={cx('wrap', cardStyles.actions)}>
            {ref?.kind === 'database' ? (
              <TargetMenu target={{ kind: 'index', database: ref.name, name }} text="Act on it" />
            ) : null}
            <CopyButton label="Copy as text" text={() => cardText(card, clock)} />
            <CopyButton label="Copy as JSON" text={() => card.json} />
            <ListExport
              label="operations of the batch"
              what="index-batch"
              of={card.indexName}
              at={card.startTicks}
              columns={NODE_COLUMNS}
              rows={card.operations}
            />
          </div>
        </>
      )}
    </section>
  )
}
