import { useContext, useState, type ReactNode } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { Dialog } from '../../../ui/controls/Dialog.tsx'
import { TextField } from '../../../ui/controls/Field.tsx'
import { parseSourceId, type SourceId } from '../../client/state.ts'
import { useCaptureState } from '../../client/useCaptureState.ts'
import { useView } from '../../client/view.ts'
import { PanelsContext } from '../panel.ts'
import { addLane, chosenKey, MOST_LANES } from './chosen.ts'
import type { LaneDefinition } from './lane.ts'
import { laneTitle } from './LaneHead.tsx'
import styles from './lanes.module.css'
import type { Composed } from './useComposed.ts'

/** A lane that can be added. */
export interface Offer {
  readonly definition: LaneDefinition
  readonly source: SourceId | null
  readonly title: string
  /** Title of the feature whose panel publishes the lane. */
  readonly feature: string
  readonly isThere: boolean
}

/** Offers that contain every word, whatever the case; those whose title begins with the first one stand first. */
export function matchingOffers(offers: readonly Offer[], query: string): readonly Offer[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const has = ({ title, feature, definition }: Offer): boolean => {
    const text = `${title} ${feature} ${definition.explains}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
  const rank = ({ title }: Offer): number => {
    const at = title.toLowerCase().indexOf(words[0] ?? '')
    return at === 0 ? 0 : at > 0 ? 1 : 2
  }
  return offers.filter(has).toSorted((a, b) => rank(a) - rank(b))
}

/** Each lane of all chosen sources together, and where there are several sources of each of them alone. */
function offersOf(
  { definitions, lanes }: Composed,
  sources: readonly SourceId[],
  featureOf: (definition: LaneDefinition) => string,
): readonly Offer[] {
  const there = new Set(lanes.map(chosenKey))
  return [...definitions.values()].flatMap((definition) => {
    const single = definition.scope === 'server' || sources.length < 2 ? [] : sources
    return [null, ...single].map((source) => {
      const chosen = { id: definition.id, source, heightPx: null, isFolded: false }
      return {
        definition,
        source,
        title: laneTitle({ chosen, definition }),
        feature: featureOf(definition),
        isThere: there.has(chosenKey(chosen)),
      }
    })
  })
}

/** A button that opens the list of all lanes of all features, found by typing. */
export function AddLane({ composed }: { readonly composed: Composed }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon="add" onClick={() => setOpen(true)} title="Show a lane of any panel on this timeline">
        Add lane
      </Button>
      {isOpen ? <LaneDialog composed={composed} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function LaneDialog({ composed, onClose }: { readonly composed: Composed; readonly onClose: () => void }): ReactNode {
  const [query, setQuery] = useState('')
  const panels = useContext(PanelsContext)
  const { view } = useView()
  const state = useCaptureState()
  const featureOf = ({ id }: LaneDefinition): string => {
    const [feature = ''] = id.split('.')
    return panels.find((panel) => panel.id === feature)?.title ?? feature
  }
  // Files are open whether they are chosen or not; of a server what is not chosen is not watched.
  const files = state.sources.filter(({ ref }) => ref.kind === 'file').map(({ id }) => id)
  const sources = [...new Set([...view.sources, ...files])].filter((id) => parseSourceId(id) !== null)
  const found = matchingOffers(offersOf(composed, sources, featureOf), query)
  const isFull = composed.lanes.length >= MOST_LANES
  const add = (offer: Offer): void => {
    composed.setLanes(addLane(composed.lanes, { id: offer.definition.id, source: offer.source }))
    onClose()
  }
  const addFirst = (): void => {
    const first = found.find(({ isThere }) => !isThere)
    if (first !== undefined && !isFull) add(first)
  }
  return (
    <Dialog title="Add lane" onClose={onClose} onSubmit={addFirst}>
      <TextField
        label="Find a lane"
        type="search"
        value={query}
        onChange={setQuery}
        placeholder="batches, CPU, stalls …"
      />
      <p className="spoken" role="status">
        {found.length === 0 ? 'No lane matches.' : `${String(found.length)} lanes match.`}
      </p>
      {isFull ? <p className="note">At most {MOST_LANES} lanes stand on a timeline.</p> : null}
      <ul className={`bare ${styles.offers ?? ''}`} aria-label="Lanes">
        {found.map((offer) => (
          <li key={chosenKey({ id: offer.definition.id, source: offer.source })}>
            <button
              type="button"
              className={styles.offer}
              disabled={offer.isThere || isFull}
              onClick={() => add(offer)}
            >
              <b>
                <bdi>{offer.title}</bdi>
              </b>
              <span className={styles.feature}>{offer.isThere ? 'already there' : offer.feature}</span>
              <span className="note">{offer.definition.explains}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 ? <p className="note">No lane matches “{query}”.</p> : null}
    </Dialog>
  )
}
