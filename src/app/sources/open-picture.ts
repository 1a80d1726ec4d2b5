import type { SavedPicture } from '../../capture/client/state.ts'
import type { LinkParams, PanelId } from '../../capture/client/panels.ts'
import { addFreePresets } from '../../features/timeline/view/presets.ts'
import type { AddressStore } from '../url/view-store.ts'
import { pictureIn } from './saved-view.ts'

/** Shows a saved capture as it was saved. `file`: its name on this page. */
export function openPicture(store: AddressStore, file: string, picture: SavedPicture): void {
  addFreePresets(picture.presets)
  const { panel, view } = pictureIn(file, picture)
  if (view.sources.length === 0) return
  const before = Object.keys(store.getSnapshot().view.params).map((key) => [key, ''])
  // The panel checks the parameters, as it does those of the URL.
  const params = { ...Object.fromEntries(before), ...view.params } as LinkParams
  store.open(panel as PanelId, { ...view, params })
}
