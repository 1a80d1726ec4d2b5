import type { ReactNode } from 'react'
import type { StallCause } from '../../../stalls/contract.ts'
import { STALL_LOOKS } from './looks.ts'

/** Marker of a cause, drawn as in the lanes. */
export function StallMarker({ cause }: { readonly cause: StallCause }): ReactNode {
  const { token, corners } = STALL_LOOKS[cause]
  return (
    <svg width="10" height="10" viewBox="-1.2 -1.2 2.4 2.4" aria-hidden="true">
      <polygon points={corners.map((corner) => corner.join(',')).join(' ')} style={{ fill: `var(${token})` }} />
    </svg>
  )
}
