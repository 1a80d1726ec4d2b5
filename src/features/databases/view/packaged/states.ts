import type { Tone } from '../../../../ui/Badge.tsx'
import type { PackageDatabase } from '../../../package/contract.ts'

/** State of a database when the package was made, with the tone of its badge. */
export const STATES: Readonly<Record<PackageDatabase['state'], readonly [Tone, string]>> = {
  loaded: ['ok', 'loaded'],
  disabled: ['warn', 'disabled'],
  failed: ['error', 'did not answer'],
  unknown: ['idle', 'not in the package'],
}
