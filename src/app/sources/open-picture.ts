import type { SavedPicture } from '../../capture/client/state.ts'
import type { LinkParams, PanelId } from '../../capture/client/panels.ts'
import { addFreePresets } from '../../features/timeline/view/presets.ts'
import type { AddressStore } from '../url/view-store.ts'
import { pictureIn } from './saved-view.ts'

/** Shows what a saved capture was saved with. `file`: its name here. */
export function openPicture(store: AddressStore, file: string, picture: SavedPicture): void {
  addFreePresets(picture.presets)
  const { panel, view } = pictureIn(file, picture)
  if (view.sources.length === 0) return
  const before = Object.keys(store.getSnapshot().view.params).map((key) => [key, ''])
  // Parameters are checked by the panel that reads them, as those of the URL are.
  const params = { ...Object.fromEntries(before), ...view.params } as LinkParams
  store.open(panel as PanelId, { ...view, params })
}
