import type { CloseReason } from '../../ravendb/sockets/socket-events.ts'
import type { GapReason } from '../client/state.ts'

/** Reason of a gap, by the reason for which its socket closed. */
export const GAP_OF_CLOSE: Readonly<Record<CloseReason, GapReason>> = {
  'socket-closed': 'socket-closed',
  'server-stopped': 'server-stopped',
  'tab-hidden': 'tab-hidden',
  'database-unloaded': 'database-unloaded',
  'database-disabled': 'database-disabled',
  'database-deleted': 'database-deleted',
  silent: 'socket-closed',
  'paused-by-rookery': 'paused-by-rookery',
}
