import type { GapReason } from '../../client/state.ts'

/** A pause by the overhead limit: the same words in all places. */
export const PAUSED_BY_ROOKERY = 'Paused by Rookery (overhead limit)'

/** Why nothing is known, in the words of the screen. */
export const GAP_WORDS: Record<GapReason, string> = {
  'socket-closed': 'connection lost',
  'server-stopped': 'server stopped',
  'server-unresponsive': 'server did not answer',
  'tab-hidden': 'tab was hidden',
  'database-unloaded': 'database unloaded',
  'database-disabled': 'database disabled',
  'database-deleted': 'database deleted',
  'database-restarted': 'database restarted',
  'worker-restarted': 'recording lost',
  'ring-lapped': 'no longer in the server’s buffer',
  'index-changed': 'index deleted, reset or replaced',
  'not-watched': 'not watched',
  'paused-by-rookery': PAUSED_BY_ROOKERY,
  malformed: 'could not be read',
  'clock-jumped': 'clock went back',
  'not-sent': 'recorded, and not sent',
}
