import type { FileEntry, FileState } from '../../../capture/client/state.ts'
import type { BadgeWord } from '../../../ui/Badge.tsx'

export const FILE_WORDS: Readonly<Record<FileState['phase'], BadgeWord>> = {
  listing: { tone: 'busy', word: 'listing entries' },
  reading: { tone: 'busy', word: 'reading' },
  read: { tone: 'ok', word: 'read' },
  broken: { tone: 'warn', word: 'read in part' },
  refused: { tone: 'error', word: 'not read' },
  cancelled: { tone: 'idle', word: 'stopped' },
  duplicate: { tone: 'idle', word: 'open already' },
}

export const ENTRY_WORDS: Readonly<Record<FileEntry['phase'], BadgeWord>> = {
  listed: { tone: 'idle', word: 'as text' },
  reading: { tone: 'busy', word: 'reading' },
  read: { tone: 'ok', word: 'read' },
  broken: { tone: 'warn', word: 'read in part' },
  refused: { tone: 'error', word: 'not read' },
  'not-gathered': { tone: 'error', word: 'not gathered' },
  empty: { tone: 'warn', word: 'empty' },
}
