import type { GapReason } from './state.ts'

/** Why nothing is known, in the words of the screen. */
export const GAP_WORDS: Record<GapReason, string> = {
  'socket-closed': 'connection lost',
  'server-stopped': 'server stopped',
  'server-stalled': 'server did not answer',
  'tab-hidden': 'tab was hidden',
  'database-unloaded': 'database unloaded',
  'database-restarted': 'database restarted',
  'ring-lapped': 'server forgot it',
  'not-watched': 'not watched',
  malformed: 'could not be read',
  'clock-jumped': 'clock went back',
}
