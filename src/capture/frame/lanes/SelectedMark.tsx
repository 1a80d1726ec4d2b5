import type { ReactNode } from 'react'
import { formatDuration, formatPlural, formatTime, type Clock } from '../../../base/text/format.ts'
import card from '../../../ui/card.module.css'
import { Button } from '../../../ui/controls/Button.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import { useView } from '../../client/view.ts'
import { PanelLink } from '../PanelLink.tsx'
import { LaneFacts } from './LaneFacts.tsx'
import { chosenKey } from './chosen.ts'
import styles from './lanes.module.css'
import type { LaneLink } from './lane.ts'
import type { RelatedMark } from './related.ts'
import type { OtherServers } from './servers/other-servers.ts'
import type { Composed } from './useComposed.ts'

interface SelectedMarkProps {
  readonly composed: Composed
  readonly clock: Clock
}

/** Maximum number of listed marks of one lane. */
const MOST_LISTED = 12

/**
 * Card of the selected mark, with the marks of other lanes that it overlaps. If the selection is in the panel itself,
 * which has its own card, only the overlaps.
 */
export function SelectedMark({ composed, clock }: SelectedMarkProps): ReactNode {
  const { selection, selected, select, lanes } = composed
  const titleOf = (key: string): string => {
    const chosen = lanes.find((lane) => chosenKey(lane) === key)
    return chosen === undefined ? key : composed.titleOf(chosen)
  }
  if (selection === null)
    return composed.related.length === 0 ? null : (
      <section className={cx('stack', card.pinned)} aria-label="Overlaps of what is selected">
        <p className={card.title}>Overlaps of what is selected</p>
        <Related composed={composed} titleOf={titleOf} clock={clock} />
      </section>
    )
  const item = selected?.item ?? null
  return (
    <section className={cx('stack', card.pinned)} aria-label="Selected mark">
      {item === null ? (
        <p>The selected mark of {titleOf(selection.lane)} is not among what is shown.</p>
      ) : (
        <LaneFacts lane={titleOf(selection.lane)} item={item} clock={clock} />
      )}
      {item === null ? null : <Related composed={composed} titleOf={titleOf} clock={clock} />}
      <div className={cx('wrap', card.actions)}>
        {item?.link == null ? null : <LinkOfMark link={item.link} servers={composed.servers} />}
        <Button small onClick={() => select(null)}>
          Close
        </Button>
      </div>
    </section>
  )
}

/** Link to the panel of the mark; for another server, in that server's studio. */
function LinkOfMark({ link, servers }: { readonly link: LaneLink; readonly servers: OtherServers | null }): ReactNode {
  const store = useView()
  const { server, panel, parts, text } = link
  if (server === undefined || servers === null)
    return (
      <PanelLink panel={panel} parts={parts}>
        {text}
      </PanelLink>
    )
  // Lanes are named from the point of view of this page's server.
  const composed = Object.keys(store.view.params).filter((key) => key.endsWith('.composed'))
  const hash = store.href(panel, {
    ...parts,
    params: { ...parts.params, ...Object.fromEntries(composed.map((key) => [key, ''])) },
  })
  return (
    <a href={servers.hrefOf(server, hash)}>
      {text} on <bdi>{server}</bdi>
    </a>
  )
}

interface RelatedProps extends SelectedMarkProps {
  readonly titleOf: (lane: string) => string
}

function Related({ composed: { related, select }, titleOf, clock }: RelatedProps): ReactNode {
  if (related.length === 0) return <p className="note">No mark of another lane overlaps it.</p>
  const lanes = [...new Set(related.map(({ lane }) => lane))]
  return (
    <div role="group" aria-label="Overlaps" className={styles.related}>
      {lanes.map((lane) => {
        const own = related.filter((each) => each.lane === lane)
        return (
          <section key={lane} aria-label={titleOf(lane)}>
            <h3 className={styles.relatedLane}>{titleOf(lane)}</h3>
            <ul className="bare">
              {own.slice(0, MOST_LISTED).map((each) => (
                <li key={`${each.track.key} ${String(each.mark)}`}>
                  <button
                    type="button"
                    className={styles.relatedMark}
                    onClick={() =>
                      select({
                        lane,
                        track: each.track.key,
                        startTicks: each.item.startTicks,
                        durationTicks: each.item.durationTicks,
                      })
                    }
                  >
                    <bdi>{wordsOf(each, clock)}</bdi>
                  </button>
                </li>
              ))}
            </ul>
            {own.length > MOST_LISTED ? (
              <p className="note">{formatPlural(own.length - MOST_LISTED, 'more mark')}</p>
            ) : null}
          </section>
        )
      })}
    </div>
  )
}

const wordsOf = ({ item, shares }: RelatedMark, clock: Clock): string =>
  [
    `${formatTime(item.startTicks, clock, 3)} ${item.title}`,
    item.durationTicks > 0 ? formatDuration(item.durationTicks) : '',
    shares === null ? '' : `same ${shares}`,
  ]
    .filter((part) => part !== '')
    .join(' · ')
