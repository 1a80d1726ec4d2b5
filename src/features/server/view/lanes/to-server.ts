import type { LaneLink } from '../../../../capture/frame/lanes/lane.ts'

/** Where figures of the server stand beside each other. */
export const toServer: LaneLink = {
  text: 'Open in Vitals',
  panel: 'server',
  parts: { params: { 'server.view': '', 'server.show': '' } },
}
