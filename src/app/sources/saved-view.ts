import { placedIn, SAVED_NAME, type SavedPlace } from '../../capture/archive/saved-capture.ts'
import type { SavedPicture, SourceId } from '../../capture/client/state.ts'
import { PANELS } from '../panels.ts'
import { decodeAddress, encodeAddress, type Address } from '../url/url.ts'

/** Address of a picture whose sources are those of the saved file. */
export function savedAddress({ panel, view }: Address, places: readonly SavedPlace[]): string {
  const moved = new Map(places.map((place) => [place.source, placedIn(SAVED_NAME, place)]))
  // Longer names first: one may begin with another.
  const named = [...moved].toSorted(([a], [b]) => b.length - a.length)
  const inText = (text: string): string => named.reduce((all, [from, to]) => withSource(all, from, to), text)
  const params = Object.fromEntries(Object.entries(view.params).map(([key, value]) => [key, inText(value)]))
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

/** Replaces a source where it stands alone or begins the id of a lane; `server` is a word of other texts, too. */
function withSource(text: string, from: SourceId, to: SourceId): string {
  const escaped = from.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const pattern =
    from === 'server'
      ? String.raw`(?<=@)server(?![\w.-])|(?<![\w.-])server(?=\|)`
      : String.raw`(?<![\w:/])${escaped}(?![\w.%/-])`
  return text.replaceAll(new RegExp(pattern, 'g'), () => to)
}

/** Picture of a saved capture that was opened under this name. */
export function pictureIn(file: string, { address }: SavedPicture): Address {
  const { panel, view } = decodeAddress(
    address,
    PANELS.map(({ id }) => id),
  )
  const inText = (text: string): string => text.replaceAll(`file:${SAVED_NAME}/`, () => `file:${file}/`)
  const params = Object.fromEntries(Object.entries(view.params).map(([key, value]) => [key, inText(value)]))
  return {
    panel,
    view: {
      ...view,
      sources: view.sources.map(inText),
      selection: view.selection === null ? null : inText(view.selection),
      params,
    },
  }
}
