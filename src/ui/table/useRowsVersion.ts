import { useState } from 'react'

/**
 * Version of the rows of a table: changes when their number or the request has changed, not with every byte that
 * arrives elsewhere. `total` undefined: not known yet.
 */
export function useRowsVersion(requested: string, total: number | undefined): number {
  const [shown, setShown] = useState({ requested: '', total: -1, count: 0 })
  if (total !== undefined && (shown.requested !== requested || shown.total !== total))
    setShown({ requested, total, count: shown.count + 1 })
  return shown.count
}
