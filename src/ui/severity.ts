import type { Tone } from './Badge.tsx'

const TONES: Readonly<Record<string, Tone>> = { Error: 'error', Warning: 'warn', Success: 'ok', Info: 'busy' }

/** Tone for a severity in the server's words. */
export const toneOf = (severity: string): Tone =>
  Object.hasOwn(TONES, severity) ? (TONES[severity] ?? 'idle') : 'idle'
