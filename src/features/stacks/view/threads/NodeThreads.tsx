import type { ReactNode } from 'react'
import { formatCount, formatPlural } from '../../../../base/text/format.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import type { NodeId } from '../../../../feeds/stacks/contract/ids.ts'
import type { TreeView } from '../../../../feeds/stacks/contract/samples.ts'
import styles from '../flame/flame.module.css'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { cx } from '../../../../ui/theme/cx.ts'

/** Number of threads that are named; the rest are counted. */
const NAMED = 6

interface NodeThreadsProps {
  readonly view: TreeView
  readonly node: NodeId
  readonly version: number
  readonly onThread: (threadId: number) => void
}

/** Threads at the zoomed frame, and its stack as text. */
export function NodeThreads({ view, node, version, onThread }: NodeThreadsProps): ReactNode {
  const { response, isCurrent } = useRequest('stacks.text', { view, node }, { version, everyMs: 100 })
  if (!isCurrent) return <div className={cx('row', 'note', styles.here)}>Loading threads …</div>
  if (response === null) return null
  const named = new Map(response.threads.map((thread) => [thread.id, thread]))
  return (
    <div className={cx('row', 'note', styles.here)}>
      <CopyButton label="Copy stack" text={() => response.text} />
      <span>{formatPlural(response.threadCount, 'sample')} here, of</span>
      {[...named.values()].slice(0, NAMED).map(({ id, name }) => (
        <Button key={id} small tone="quiet" title={`Thread ${id}: show it`} onClick={() => onThread(id)}>
          {name === '' ? id : `${name} (${id})`}
        </Button>
      ))}
      {named.size > NAMED ? <span>and {formatCount(named.size - NAMED)} more</span> : null}
    </div>
  )
}
