import { useState, type ReactNode } from 'react'
import { formatBytes, formatCount, formatDuration } from '../../../../base/text/format.ts'
import { Button, IconButton } from '../../../../ui/controls/Button.tsx'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import shared from '../../../../ui/card.module.css'
import { cx } from '../../../../ui/theme/cx.ts'
import { Toggle } from '../../../../ui/controls/Toggle.tsx'
import type { FrameName } from '../../../../feeds/stacks/contract/frames.ts'
import type { SnapshotId } from '../../../../feeds/stacks/contract/ids.ts'
import type { StackText } from '../../../../feeds/stacks/contract/stack-text.ts'
import type { ThreadRow } from '../../../../feeds/stacks/contract/threads.ts'
import styles from './card.module.css'
import { categoryHue, categoryTitle } from '../flame/frame-styles.ts'
import { JobLinks } from './JobLinks.tsx'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { WaitWord } from './WaitSwatch.tsx'
import { describeLine, formatMs, formatPercent, jobName } from '../words.ts'

export interface ThreadCardProps {
  readonly threadId: number
  /** Row of the thread; null: not in the current list. */
  readonly row: ThreadRow | null
  readonly snapshot: SnapshotId | null
  readonly version: number
  readonly onClose: () => void
  /** Shows a path in the tree, root first. */
  readonly onShowPath: (path: readonly string[]) => void
  readonly onFocus: (frame: FrameName) => void
}

/** Card of a thread: its work in one line, its figures, and its stack. */
export function ThreadCard(props: ThreadCardProps): ReactNode {
  const { threadId, row, snapshot, version } = props
  const params = snapshot === null ? undefined : { snapshot, threadId }
  const { response, isCurrent } = useRequest('stacks.text', params, { version, everyMs: 300 })
  const stack = isCurrent ? response : null
  return (
    <section className={cx('stack', shared.pinned, styles.card)} aria-label="Selected thread">
      <div className={cx(shared.head, styles.head)}>
        <h2>
          Thread {threadId}
          {row === null || row.name === '' ? null : (
            <>
              {' '}
              <bdi className={styles.name}>{row.name}</bdi>
            </>
          )}
        </h2>
        <IconButton small icon="close" label="Unpin" onClick={props.onClose} />
      </div>
      {row === null ? (
        <p className="faint">
          This thread is not in the selected snapshot: it ended, started later, or belongs to another snapshot.
        </p>
      ) : (
        <>
          <p className={styles.lead}>
            {row.line === null ? null : <WaitWord kind={row.line.wait} />} {describeLine(row.line)}
          </p>
          <Facts row={row} />
          <JobLinks job={row.job} />
        </>
      )}
      {snapshot === null ? (
        <p className="faint">No stack yet: take a stack snapshot.</p>
      ) : stack === null ? (
        <p className="faint">{isCurrent ? 'It has no stack in this snapshot.' : 'Loading …'}</p>
      ) : (
        <Stack stack={stack} onFocus={props.onFocus} onShowPath={props.onShowPath} />
      )}
    </section>
  )
}

function Facts({ row }: { readonly row: ThreadRow }): ReactNode {
  const facts: readonly (readonly [string, string])[] = [
    ['Job', jobName(row.job) + (row.job.isCut ? ' (its name was cut by Linux)' : '')],
    ['CPU now', `${formatPercent(row.cpuPercent)} of all cores`],
    ['Since the snapshot', formatMs(row.cpuSinceSnapshotMs)],
    [
      'Since it began',
      `${formatMs(row.totalCpuMs)} (user ${formatMs(row.userCpuMs)}, kernel ${formatMs(row.kernelCpuMs)})`,
    ],
    ['Allocated', row.allocatedBytes === null ? '' : `${formatBytes(row.allocatedBytes)} unmanaged`],
    ['State', [row.state, row.waitReason, row.priority].filter((part) => part !== null).join(', ')],
    ['Age', formatDuration(row.ageTicks)],
    ['Managed id', row.managedId === null ? '' : String(row.managedId)],
  ]
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) =>
        value === '' || value.startsWith('—') ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

const isQuiet = ({ category }: FrameName): boolean =>
  category === 'runtime' || category === 'pseudo' || category === 'web'

interface StackProps {
  readonly stack: StackText
  readonly onFocus: (frame: FrameName) => void
  readonly onShowPath: (path: readonly string[]) => void
}

/** Frames, innermost first; those that only pass on a call are faint. Each links to its callers and callees. */
export function Stack({ stack, onFocus, onShowPath }: StackProps): ReactNode {
  const [isFull, setFull] = useState(false)
  return (
    <div className="stack">
      <div className="row tight">
        <CopyButton label="Copy as text" text={() => stack.text} />
        <Button small onClick={() => onShowPath(stack.frames.map((frame) => frame.full).toReversed())}>
          Show in flame graph
        </Button>
        <Toggle label="Full names" checked={isFull} onChange={setFull} />
      </div>
      <ol className={styles.frames} aria-label="Stack, innermost first">
        {stack.frames.map((frame, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- a function that calls itself stands here twice
          <li key={`${at} ${frame.id}`} className={cx(isQuiet(frame) && styles.quiet)}>
            <button
              type="button"
              className={cx('bare', styles.frame)}
              title={`${frame.full} · ${categoryTitle(frame.category)} · show who calls it and what it calls`}
              onClick={() => onFocus(frame)}
            >
              <span className={styles.dot} style={{ background: categoryHue(frame.category) }} aria-hidden="true" />
              <bdi>{isFull ? frame.full : frame.short}</bdi>
              {isFull || frame.module === '' ? null : <span className={cx('cut', styles.module)}>{frame.module}</span>}
            </button>
          </li>
        ))}
      </ol>
      {stack.threadCount > 1 ? (
        <p className="faint">
          {formatCount(stack.threadCount)} threads stand here:{' '}
          {stack.threads
            .slice(0, 12)
            .map(({ id, name }) => `${id}${name === '' ? '' : ` ${name}`}`)
            .join(', ')}
          {stack.threadCount > 12 ? ' …' : ''}
        </p>
      ) : null}
      {stack.objects.length === 0 ? null : (
        <details>
          <summary>{formatCount(stack.objects.length)} objects on the stack</summary>
          <ul className={styles.objects}>
            {stack.objects.map((object, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- equal objects stand here several times
              <li key={at}>{object}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
