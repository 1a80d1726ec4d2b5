import { useQuery } from '@tanstack/react-query'
import { useContext, useEffect, useState, type ReactNode } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { Dialog } from '../../../ui/controls/Dialog.tsx'
import { TextField } from '../../../ui/controls/Field.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { useSteady } from '../../../ui/hooks/useSteady.ts'
import { isRecording } from '../../client/packages.ts'
import { parseSourceId, type SourceId } from '../../client/state.ts'
import { useCaptureState } from '../../client/useCaptureState.ts'
import { useCapture, useView } from '../../client/view.ts'
import { PanelsContext } from '../panel.ts'
import { addLane, chosenKey, MOST_LANES, type LaneChoice } from './chosen.ts'
import type { LaneDefinition } from './lane.ts'
import { laneTitle } from './composed.ts'
import styles from './lanes.module.css'
import { useOtherServers, useSourcesOf } from './servers/useOtherServers.ts'
import type { Composed } from './useComposed.ts'

/** Maximum number of listed lanes. */
const MOST_OFFERS = 200

/** A lane that can be added. */
export interface Offer {
  readonly definition: LaneDefinition
  readonly choice: LaneChoice
  readonly title: string
  /** Title of the feature that publishes the lane. */
  readonly feature: string
  readonly isThere: boolean
}

/** Offers that contain every word; ignores case. Those whose title begins with the first word come first. */
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

/** Server and sources for which lanes are offered. */
interface Offering {
  /** Name of another server; null: the page's own. */
  readonly server: string | null
  /** Sources, each with a lane of its own. */
  readonly sources: readonly SourceId[]
  /** Sources of recordings. */
  readonly recorded: readonly SourceId[]
  /** Lanes of single objects. */
  readonly ofObjects?: readonly LaneChoice[]
}

/**
 * Offers each lane for all chosen sources together and for each source; lanes of a whole server also for each open
 * recording. For another server, only each source. Lanes of single objects come last, since there may be hundreds.
 */
export function offersOf(
  { definitions, lanes }: Pick<Composed, 'definitions' | 'lanes'>,
  { server, sources, recorded, ofObjects = [] }: Offering,
  featureOf: (definition: LaneDefinition) => string,
): readonly Offer[] {
  const there = new Set(lanes.map(chosenKey))
  const ofSources = [...definitions.values()].flatMap(({ id, scope, isRecorded = false, objects }) => {
    if (objects !== undefined) return []
    const ofServers = isRecorded ? oneOfEachServer(recorded) : []
    const single = scope === 'server' ? ofServers : sources.length < 2 && server === null ? [] : sources
    const together = server === null || scope === 'server' ? [null] : []
    return [...together, ...single].map((source): LaneChoice => ({ id, source, server }))
  })
  return [...ofSources, ...ofObjects].flatMap((choice): readonly Offer[] => {
    const definition = definitions.get(choice.id)
    if (definition === undefined) return []
    const title = laneTitle(choice, definitions)
    return [{ definition, choice, title, feature: featureOf(definition), isThere: there.has(chosenKey(choice)) }]
  })
}

const NO_CHOICES: readonly LaneChoice[] = []

/** Lanes of single objects of the sources; empty until they are read. */
function useLanesOfObjects({ definitions }: Composed, sources: readonly SourceId[]): readonly LaneChoice[] {
  const { request } = useCapture()
  const lists = [...definitions.values()].flatMap(({ id, objects }) =>
    objects === undefined ? [] : sources.map((source) => ({ id, source, objects })),
  )
  const { data } = useQuery({
    queryKey: ['objects with lanes', lists.map(({ id, source }) => [id, source]), request],
    queryFn: async ({ signal }) => {
      const read = lists.map(async ({ id, source, objects }) =>
        (await objects(request, source, signal)).map((object) => ({ id, source, server: null, object })),
      )
      return (await Promise.all(read)).flat()
    },
    gcTime: 0,
  })
  return data ?? NO_CHOICES
}

/** A source for each server of a recording; they are named `file:NAME/NODE/DATABASE`. */
function oneOfEachServer(files: readonly SourceId[]): readonly SourceId[] {
  const byFolder = new Map<string, SourceId>()
  for (const id of files) {
    const folder = id.slice(0, id.lastIndexOf('/') + 1)
    if (folder !== '' && !byFolder.has(folder)) byFolder.set(folder, id)
  }
  return [...byFolder.values()]
}

/** Button that opens the list of all lanes of all features, with search. */
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
  const [server, setServer] = useState<string | null>(null)
  const others = useOtherServers(composed.servers)
  // Files are open whether they are chosen or not; sources of a server that are not chosen are not watched.
  const files = state.sources.filter(({ ref }) => ref.kind === 'file').map(({ id }) => id)
  const own = [...new Set([...view.sources, ...files])].filter((id) => parseSourceId(id) !== null)
  const there = useSourcesOf(composed.servers, server)
  const recordings = state.files.filter(isRecording)
  const recorded = files.filter((id) => recordings.some(({ name }) => id.startsWith(`file:${name}/`)))
  const ofObjects = useLanesOfObjects(composed, own)
  const offering = server === null ? { sources: own, recorded, ofObjects } : { sources: there.sources, recorded: [] }
  const found = matchingOffers(offersOf(composed, { server, ...offering }, featureOf), query)
  const isFull = composed.lanes.length >= MOST_LANES
  const add = (offer: Offer): void => {
    composed.setLanes(addLane(composed.lanes, offer.choice))
    onClose()
  }
  const addFirst = (): void => {
    const first = found.find(({ isThere }) => !isThere)
    if (first !== undefined && !isFull) add(first)
  }
  const { onEnter, onEdit } = useEnterOnceLoaded(composed.isLoading, addFirst)
  const status = composed.isLoading
    ? 'The lanes are loading …'
    : found.length === 0
      ? 'No lane matches.'
      : `${String(found.length)} lanes match.`
  return (
    <Dialog title="Add lane" onClose={onClose} onSubmit={onEnter}>
      {others.length === 0 ? null : (
        <div className="row">
          <Select
            label="Server"
            options={[
              { value: '', text: `${composed.servers?.own ?? ''} (this one)` },
              ...others.map(({ name, refusal }) => ({ value: name, text: refusal === null ? name : `${name} (away)` })),
            ]}
            value={server ?? ''}
            onChange={(name) => setServer(name === '' ? null : name)}
          />
        </div>
      )}
      {there.trouble === null ? null : <p className="note">{there.trouble}</p>}
      <TextField
        label="Find a lane"
        type="search"
        value={query}
        onChange={(text) => {
          onEdit()
          setQuery(text)
        }}
        placeholder="batches, CPU, an index …"
      />
      <p className="spoken" role="status">
        {status}
      </p>
      {isFull ? <p className="note">At most {MOST_LANES} lanes stand on a timeline.</p> : null}
      <ul className={`bare ${styles.offers ?? ''}`} aria-label="Lanes">
        {found.slice(0, MOST_OFFERS).map((offer) => (
          <li key={chosenKey(offer.choice)}>
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
      {found.length > MOST_OFFERS ? (
        <p className="note">The first {MOST_OFFERS} are listed: type a word to find others.</p>
      ) : null}
      {found.length === 0 ? (
        <p className="note">{composed.isLoading ? status : <>No lane matches “{query}”.</>}</p>
      ) : null}
    </Dialog>
  )
}

/**
 * Runs `run` for Enter, or, if Enter comes while the list is loading, as soon as it is there, unless the text is edited
 * in between.
 */
function useEnterOnceLoaded(isLoading: boolean, run: () => void): { onEnter: () => void; onEdit: () => void } {
  const [isEntered, setEntered] = useState(false)
  const enter = useSteady(run)
  useEffect(() => {
    if (isEntered && !isLoading) enter()
  }, [isEntered, isLoading, enter])
  return {
    onEnter: () => (isLoading ? setEntered(true) : run()),
    onEdit: () => setEntered(false),
  }
}
