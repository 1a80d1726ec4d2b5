import { Suspense, useEffect, useRef, type ReactNode } from 'react'
import type { Clock } from '../../../../base/text/format.ts'
import { ListExport } from '../../../../capture/exporting/ListExport.tsx'
import type { TimeRange } from '../../../../base/ticks.ts'
import { parseSourceId, type ErrorInfo } from '../../../../capture/client/state.ts'
import { useView } from '../../../../capture/client/view.ts'
import { Button, IconButton } from '../../../../ui/controls/Button.tsx'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { FactLines } from '../../../../ui/FactLines.tsx'
import styles from '../../../../ui/card.module.css'
import { CardTitle } from './EventFacts.tsx'
import { EventLink } from './EventLink.tsx'
import { StorageMenu } from './StorageMenu.tsx'
import { eventKeys, formatEventRef } from '../../../../feeds/io/contract/event-ref.ts'
import { EVENT_COLUMNS } from '../lists.ts'
import type { IoCard, IoEventRef } from '../../../../feeds/io/contract/rows.ts'
import { cardLines, cardText, describeOverlaps } from '../words.ts'
import { cx } from '../../../../ui/theme/cx.ts'
import { lazyPanel } from '../../../../ui/lazyPanel.tsx'

const { Component: CommitChain } = lazyPanel(() => import('../commits/CommitChain.tsx'))

export interface PinnedCardProps {
  readonly selected: IoEventRef
  readonly card: IoCard | null
  /** Whether the capture has responded. */
  readonly known: boolean
  readonly error: ErrorInfo | null
  /** Counter that increases when the card should scroll into view, because another part of the panel requested it. */
  readonly pinned: number
  /** Range in view. */
  readonly range: TimeRange
  readonly clock: Clock
  readonly manySources: boolean
  readonly onSelect: (ref: IoEventRef | null) => void
}

/** Everything about the selected event, which is also in the link. */
export function PinnedCard(props: PinnedCardProps): ReactNode {
  const { selected, card, known, error, pinned, range, clock, manySources, onSelect } = props
  const { open } = useView()
  const cardRef = useRef<HTMLElement>(null)
  const shownRef = useRef(0)
  const isThere = card !== null
  useEffect(() => {
    // Runs once the card has its full height.
    if (!isThere || pinned <= shownRef.current) return
    shownRef.current = pinned
    cardRef.current?.scrollIntoView({ block: 'nearest' })
  }, [pinned, isThere])
  const overlapKeys = eventKeys(card?.overlaps ?? [])
  return (
    <section ref={cardRef} className={cx('stack', styles.pinned)} aria-label="Selected event">
      <div className={styles.head}>
        <CardTitle kind={selected.kind} />
        <IconButton small icon="close" label="Unpin" onClick={() => onSelect(null)} />
      </div>
      {card === null ? (
        <p>
          {error !== null
            ? error.message
            : known
              ? 'This event is not in this capture: the link may come from another one, or its source was not monitored.'
              : 'Loading …'}
        </p>
      ) : (
        <>
          <FactLines lines={cardLines(card, clock)} />
          <p>{describeOverlaps(card)}</p>
          {card.overlaps.length === 0 ? null : (
            <ol className={styles.overlaps} aria-label="Overlapping I/O">
              {card.overlaps.map((event) => (
                <li key={overlapKeys.get(event)}>
                  <EventLink event={event} current={false} manySources={manySources} onSelect={onSelect} />
                </li>
              ))}
            </ol>
          )}
          <Commit card={card} range={range} />
          <div className={cx('wrap', styles.actions)}>
            <StorageMenu
              source={card.source}
              type={card.laneType}
              index={card.laneLabelIsReal ? card.laneLabel : null}
              text="Act on it"
            />
            {selected.kind === 'JournalWrite' ? (
              <Button small onClick={() => open('stalls', { selection: formatEventRef(selected) })}>
                Show in Stalls
              </Button>
            ) : null}
            <CopyButton label="Copy as text" text={() => cardText(card, clock)} />
            <CopyButton label="Copy as JSON" text={() => card.json} />
            <ListExport
              label="event and overlaps"
              what="io-event"
              of=""
              at={card.startTicks}
              columns={EVENT_COLUMNS}
              rows={[card, ...card.overlaps]}
            />
          </div>
        </>
      )}
    </section>
  )
}

/** Steps of the commit of a journal write in a database's documents. */
function Commit({ card, range }: Pick<PinnedCardProps, 'range'> & { readonly card: IoCard }): ReactNode {
  if (card.kind !== 'JournalWrite' || card.laneType !== 'Documents') return null
  const from = parseSourceId(card.source)?.kind
  if (from !== 'database' && from !== 'file') return null
  return (
    <Suspense>
      <CommitChain
        key={formatEventRef(card)}
        params={{ lane: card.lane, journalStartTicks: card.startTicks, range }}
        isFile={from === 'file'}
      />
    </Suspense>
  )
}
