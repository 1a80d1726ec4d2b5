import type { Tone } from '../../../../ui/Badge.tsx'
import type { PackageDatabase } from '../../../package/contract.ts'

/** How a database was when the package was made, and in which tone that is said. */
export const STATES: Readonly<Record<PackageDatabase['state'], readonly [Tone, string]>> = {
  loaded: ['ok', 'loaded'],
  disabled: ['warn', 'disabled'],
  failed: ['error', 'did not answer'],
  unknown: ['idle', 'not in the package'],
}
