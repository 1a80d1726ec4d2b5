import { formatAgo } from '../../../../base/text/figures.ts'
import { useState, type ReactNode } from 'react'
import type { Ticks } from '../../../../base/ticks.ts'
import { formatBytes, formatShare } from '../../../../base/text/format.ts'
import { cx } from '../../../../ui/theme/cx.ts'
import { StateDot } from '../../../../ui/Badge.tsx'
import { splitMemory, type MemoryPartId } from './memory-split.ts'
import type { ServerGc, ServerMemory } from '../../../../feeds/server/contract/machine.ts'
import styles from './memory.module.css'
import { useMemoryDetail } from '../useServerData.ts'

const CLASSES: Record<MemoryPartId, string | undefined> = {
  gen0: styles.gen0,
  gen1: styles.gen1,
  gen2: styles.gen2,
  loh: styles.loh,
  poh: styles.poh,
  fragmented: styles.fragmented,
  unused: styles.unused,
  native: styles.native,
  code: styles.code,
  private: styles.native,
  dirty: styles.dirty,
  others: styles.others,
  used: styles.others,
  clean: styles.clean,
  reclaimable: styles.reclaimable,
  free: styles.free,
}

const percent = (bytes: number, of: number): string => `${String((bytes / Math.max(1, of)) * 100)}%`

interface MemoryBarProps {
  readonly memory: ServerMemory
  readonly gc: ServerGc | null
  readonly nowTicks: Ticks | null
}

/** The machine's memory by holder, as one bar with a legend and the low-memory limit. */
export function MemoryBar({ memory, gc, nowTicks }: MemoryBarProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const { canFiles } = useMemoryDetail(isOpen)
  const split = splitMemory(memory, gc)
  const { lowLimit, process, availableBytes, physicalBytes } = memory
  const isLow = availableBytes < lowLimit.bytes
  return (
    <section className={cx('raised', styles.memory)} aria-label="Memory">
      <div className={cx('wrap', styles.head)}>
        <h2>Memory</h2>
        <Figures label="Figures of memory" className={cx('wrap', styles.figures)}>
          {split.privateBytes === null ? null : (
            <Figure
              name="Private"
              title="Anonymous and shared memory of the process: nothing but the server can give it back"
              bytes={split.privateBytes}
              more={`${formatShare(split.privateBytes / physicalBytes)} of ${formatBytes(physicalBytes)}`}
            />
          )}
          <Figure
            name="Available"
            title="What a program can get: free memory, and caches that the system can drop"
            bytes={availableBytes}
            more={formatShare(availableBytes / physicalBytes)}
          />
          <Figure name="Free" title="Memory that holds nothing; a part of available" bytes={memory.freeBytes} />
          <Figure
            name="Resident"
            title="All pages of the process that are in memory, those of files included"
            bytes={memory.residentBytes}
          />
          {process === null ? null : (
            <Figure
              name="File pages"
              title="Resident pages of data files and programs; those that are clean are a part of available"
              bytes={process.fileBytes}
            />
          )}
          {memory.swapBytes === null || memory.swapBytes === 0 ? null : (
            <Figure
              name="Swap"
              title="Of the server: moved out to disk. What touches it waits for the disk."
              bytes={memory.swapBytes}
            />
          )}
          <Figure name="Physical" title="Memory of the machine, or of the container" bytes={physicalBytes} />
        </Figures>
        <span className="push" />
        <Severity memory={memory} />
      </div>
      <div
        className={styles.bar}
        role="img"
        aria-label={split.parts.map((part) => `${part.title} ${formatBytes(part.bytes)}`).join(', ')}
      >
        {split.parts.map((part) => (
          <div
            key={part.id}
            className={cx(styles.part, CLASSES[part.id])}
            style={{ width: percent(part.bytes, physicalBytes) }}
            title={`${part.title}: ${formatBytes(part.bytes)}. ${part.explains}`}
          />
        ))}
        <div
          className={cx(styles.limit, isLow && styles.over)}
          style={{ insetInlineStart: percent(split.lowFromBytes, physicalBytes) }}
        />
      </div>
      <Figures label="Parts of memory" className={cx('wrap', styles.legend)}>
        {split.parts.map((part) => (
          <div key={part.id} title={part.explains}>
            <dt>
              <span className={cx(styles.swatch, CLASSES[part.id])} aria-hidden="true" />
              {part.title}
            </dt>
            <dd className="faint">{formatBytes(part.bytes)}</dd>
          </div>
        ))}
      </Figures>
      <p className={cx('note', styles.note)}>
        <span className={cx(styles.mark, isLow && styles.over)} aria-hidden="true" /> Low-memory limit{' '}
        {formatBytes(lowLimit.bytes)} available{LIMIT_WORDS[lowLimit.from]}. {describeSource(memory, nowTicks)}
        {gc?.newest == null || split.privateBytes === null
          ? ''
          : ` The managed heap is as collection ${String(gc.newest.index)} left it.`}
        {memory.files === null || nowTicks === null
          ? ''
          : ` Clean and dirty file pages are as of ${formatAgo(memory.files.atTicks, nowTicks)} ago.`}
      </p>
      {canFiles ? (
        <details className={styles.details} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>Which file pages are clean</summary>
          <p className={cx('note', styles.note)}>
            {memory.files === null
              ? 'Requesting …'
              : 'Requested at most once a minute while this is open: the server walks its page tables for it, about 11 ms of CPU for each GiB.'}
          </p>
        </details>
      ) : null}
      {memory.own === null ? null : (
        <Figures label="Counted by the server itself" className={cx('wrap', styles.legend)}>
          <Own name="Managed objects" bytes={memory.own.managedBytes} />
          <Own name="Unmanaged" bytes={memory.own.unmanagedBytes} />
          <Own name="Scratch buffers in use" bytes={memory.own.scratchBytes} />
        </Figures>
      )}
    </section>
  )
}

/** Keeps the room of the bar until the server reports its memory, which it does some seconds after its other figures. */
export const MemoryNotYet = (): ReactNode => (
  <div className={cx('raised', styles.memory)}>
    <h2>Memory</h2>
    <p className="note">No figures yet.</p>
  </div>
)

interface FiguresProps {
  readonly label: string
  readonly className: string | undefined
  readonly children: ReactNode
}

const Figures = ({ label, className, children }: FiguresProps): ReactNode => (
  <div role="group" aria-label={label}>
    <dl className={className}>{children}</dl>
  </div>
)

interface FigureProps {
  readonly name: string
  readonly title: string
  readonly bytes: number
  readonly more?: string
}

function Figure({ name, title, bytes, more }: FigureProps): ReactNode {
  return (
    <div title={title}>
      <dt>{name}</dt>
      <dd>{formatBytes(bytes)}</dd>
      {more === undefined ? null : <dd className="note">{more}</dd>}
    </div>
  )
}

const Own = ({ name, bytes }: { readonly name: string; readonly bytes: number }): ReactNode => (
  <div title="As reported by the server; explains only a part of its resident memory">
    <dt>{name}</dt>
    <dd className="faint">{formatBytes(bytes)}</dd>
  </div>
)

function Severity({ memory: { severity, severityFrom } }: { readonly memory: ServerMemory }): ReactNode {
  const by =
    severityFrom === 'server'
      ? 'as the server reports'
      : severityFrom === 'log'
        ? 'by the server’s log'
        : 'by the limit'
  if (severity === 'None') return <StateDot tone="ok">enough</StateDot>
  return (
    <StateDot tone={severity === 'Low' ? 'warn' : 'error'}>
      {severity === 'Low' ? `low, ${by}` : severity === 'ExtremelyLow' ? `extremely low, ${by}` : severity}
    </StateDot>
  )
}

const LIMIT_WORDS: Record<ServerMemory['lowLimit']['from'], string> = {
  configured: ' (configured)',
  default: ' (default)',
  log: ' (by the server’s log)',
  assumed: ' (the default: min(2 GiB, a tenth of the memory); what is set needs ClusterAdmin)',
}

const WHY: Record<NonNullable<ServerMemory['whyServer']>, string> = {
  right: 'The kernel’s figures need an Operator certificate.',
  system: 'This server passes on no figures of a Linux kernel.',
  confined: 'The server is confined to a part of its host, as in a container.',
}

function describeSource({ source, whyServer, atTicks, process }: ServerMemory, nowTicks: Ticks | null): string {
  const ago = formatAgo(atTicks, nowTicks)
  const age = ago === '' ? '' : `, ${ago} ago`
  if (source === 'kernel') return `As the kernel reports${age}.`
  const split = process === null ? ' Resident memory is not split.' : ''
  return `As the server itself reports${age}, from a cache of up to 20 s. ${whyServer === null ? '' : WHY[whyServer]}${split}`
}
