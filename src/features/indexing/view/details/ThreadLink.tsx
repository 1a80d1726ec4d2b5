import type { ReactNode } from 'react'
import { parseSourceId } from '../../../../capture/client/state.ts'
import { useView } from '../../../../capture/client/view.ts'
import { splitIndexKey } from '../../../../feeds/indexing/contract/batch-ref.ts'
import type { IndexKey } from '../../../../feeds/indexing/contract/batches.ts'
import type {} from '../../../../feeds/stacks/contract.ts'

/** Link from an index to its thread in the stacks panel, by name. Empty for an index of a file, which has no thread. */
export function ThreadLink({ index }: { readonly index: IndexKey }): ReactNode {
  const { href } = useView()
  const { source, name } = splitIndexKey(index)
  const ref = parseSourceId(source)
  if (ref?.kind !== 'database') return null
  const jobs = `index:${ref.name}/${name}`
  const link = href('stacks', { range: null, selection: null, params: { 'stacks.jobs': jobs } })
  return <a href={link}>Its thread now</a>
}
