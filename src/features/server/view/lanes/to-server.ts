import type { LaneLink } from '../../../../capture/frame/lanes/lane.ts'

/** Link to the panel that shows all figures of the server together. */
export const toServer: LaneLink = {
  text: 'Open in Vitals',
  panel: 'server',
  parts: { params: { 'server.view': '', 'server.show': '' } },
}
