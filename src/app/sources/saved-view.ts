import { placedIn, SAVED_NAME, type SavedPlace } from '../../capture/archive/saved-capture.ts'
import type { LinkParamKey } from '../../capture/client/panels.ts'
import { formatList } from '../../capture/client/param-text.ts'
import type { SavedPicture, SourceId } from '../../capture/client/state.ts'
import type { View } from '../../capture/client/view.ts'
import { formatLanes, parseLanes, type ChosenLane } from '../../capture/frame/lanes/chosen.ts'
import { PANELS } from '../panels.ts'
import { decodeAddress, encodeAddress, type Address } from '../url/url.ts'

/** Parameters with one plain name as value; the others contain names as `formatList` writes them. */
const PLAIN = new Set<string>(['indexing.focus'] satisfies LinkParamKey[])
const asListed = (text: string): string => formatList(new Set([text]))

const isLaneList = (key: string): boolean => key.endsWith('.composed')

/** Number of lanes of other servers in the view, which cannot be saved because the page does not have their data. */
export const lanesOfOthers = ({ params }: Pick<View, 'params'>): number =>
  Object.entries(params)
    .filter(([key]) => isLaneList(key))
    .flatMap(([, value]) => parseLanes(value, []))
    .filter(({ server }) => server !== null).length

/** Lanes of the page's own server and files, with their sources in the saved file. */
function savedLanes(text: string, moved: ReadonlyMap<SourceId, SourceId>): string {
  const lanes = parseLanes(text, [])
  const placed = (lane: ChosenLane): ChosenLane => ({
    ...lane,
    source: lane.source === null ? null : (moved.get(lane.source) ?? lane.source),
  })
  const saved = lanes.filter(({ server }) => server === null).map(placed)
  return formatLanes(saved, lanes) || text
}

/** Address of a picture with the sources of the saved file. */
export function savedAddress({ panel, view }: Address, places: readonly SavedPlace[]): string {
  const moved = new Map(places.map((place) => [place.source, placedIn(SAVED_NAME, place)]))
  // Longer names first, since one name may begin with another.
  const named = [...moved].toSorted(([a], [b]) => b.length - a.length)
  const inText = (text: string): string => named.reduce((all, [from, to]) => withSource(all, from, to), text)
  const inList = (text: string): string =>
    named.reduce((all, [from, to]) => withSource(all, asListed(from), asListed(to)), text)
  const params = Object.fromEntries(
    Object.entries(view.params).map(([key, value]) => [
      key,
      isLaneList(key) ? savedLanes(value, moved) : PLAIN.has(key) ? inText(value) : inList(value),
    ]),
  )
  return encodeAddress({
    panel,
    view: {
      ...view,
      database: null,
      sources: view.sources.flatMap((source) => moved.get(source) ?? []),
      selection: view.selection === null ? null : inText(view.selection),
      params,
    },
  })
}

/** Replaces a source where it stands alone or begins the id of a lane; `server` is also a word in other texts. */
function withSource(text: string, from: SourceId, to: SourceId): string {
  const escaped = from.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const pattern =
    from === 'server'
      ? String.raw`(?<=@)server(?![\w.-])|(?<![\w.-])server(?=\|)`
      : String.raw`(?<![\w:/])${escaped}(?![\w.%/-])`
  return text.replaceAll(new RegExp(pattern, 'g'), () => to)
}

/** Address of a saved capture's picture, for the name under which the file was opened. */
export function pictureIn(file: string, { address }: SavedPicture): Address {
  const { panel, view } = decodeAddress(
    address,
    PANELS.map(({ id }) => id),
  )
  const inText = (text: string, name = file): string => text.replaceAll(`file:${SAVED_NAME}/`, () => `file:${name}/`)
  const params = Object.fromEntries(
    Object.entries(view.params).map(([key, value]) => [key, inText(value, PLAIN.has(key) ? file : asListed(file))]),
  )
  return {
    panel,
    view: {
      ...view,
      sources: view.sources.map((source) => inText(source)),
      selection: view.selection === null ? null : inText(view.selection),
      params,
    },
  }
}
