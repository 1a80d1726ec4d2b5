import type { ReactNode } from 'react'
import { formatBytes, formatShare } from '../../../base/format.ts'
import { cx } from '../../../ui/cx.ts'
import { StateDot } from '../../../ui/Badge.tsx'
import { splitMemory, type MemoryPartId } from './memory-split.ts'
import type { ServerGc, ServerMemory } from '../queries.ts'
import styles from './memory.module.css'

const CLASSES: Record<MemoryPartId, string | undefined> = {
  gen0: styles.gen0,
  gen1: styles.gen1,
  gen2: styles.gen2,
  loh: styles.loh,
  poh: styles.poh,
  managed: styles.managed,
  unmanaged: styles.unmanaged,
  dirty: styles.dirty,
  mapped: styles.mapped,
  others: styles.others,
  reclaimable: styles.reclaimable,
  available: styles.available,
  swap: styles.swap,
}

const percent = (bytes: number, of: number): string => `${String((bytes / Math.max(1, of)) * 100)}%`

/** Who holds the machine's memory, as one bar with its legend and the line of the last quarter. */
export function MemoryBar({ memory, gc }: { readonly memory: ServerMemory; readonly gc: ServerGc | null }): ReactNode {
  const split = splitMemory(memory, gc)
  const over = split.privateBytes > split.quarterFromBytes
  return (
    <section className={styles.memory} aria-label="Memory">
      <div className={styles.head}>
        <h2>Memory</h2>
        <span>
          <b>{formatBytes(split.privateBytes)}</b> private of {formatBytes(split.physicalBytes)} (
          {formatShare(split.privateBytes / split.physicalBytes)})
        </span>
        <span className={styles.faint}>working set {formatBytes(memory.workingSetBytes)}</span>
        <span className={styles.faint}>available {formatBytes(memory.availableBytes)}</span>
        <span className={styles.faint}>for processing {formatBytes(memory.availableForProcessingBytes)}</span>
        <span className={styles.push} />
        {memory.severity === 'None' ? (
          <StateDot tone="ok">enough</StateDot>
        ) : (
          <StateDot tone={memory.severity === 'Low' ? 'warn' : 'error'}>
            {memory.severity === 'Low'
              ? 'low, the server says'
              : memory.severity === 'ExtremelyLow'
                ? 'extremely low, the server says'
                : memory.severity}
          </StateDot>
        )}
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
            style={{ width: percent(part.bytes, split.totalBytes) }}
            title={`${part.title}: ${formatBytes(part.bytes)}. ${part.explains}`}
          />
        ))}
        <div
          className={cx(styles.quarter, over && styles.over)}
          style={{ insetInlineStart: percent(split.quarterFromBytes, split.totalBytes) }}
        />
        {memory.swapBytes > 0 ? (
          <div
            className={styles.edge}
            style={{ insetInlineStart: percent(split.physicalBytes, split.totalBytes) }}
            title="Here the machine’s memory ends; beyond it is swap."
          />
        ) : null}
      </div>
      <ul className={styles.legend}>
        {split.parts.map((part) => (
          <li key={part.id} title={part.explains}>
            <span className={cx(styles.swatch, CLASSES[part.id])} aria-hidden="true" />
            {part.title} <span className={styles.figure}>{formatBytes(part.bytes)}</span>
          </li>
        ))}
      </ul>
      <p className={styles.note}>
        <span className={cx(styles.mark, over && styles.over)} aria-hidden="true" /> The last quarter (
        {formatBytes(split.physicalBytes - split.quarterFromBytes)}) is what the server leaves to mapped files:{' '}
        {over
          ? 'private memory reaches into it, so indexing gets smaller batches and reads go to the disk.'
          : 'while private memory ends before the line, mapped files that fill the rest are no alarm.'}
        {memory.lowThresholdText === null
          ? ''
          : ` The server calls memory low below ${memory.lowThresholdText} available.`}
      </p>
    </section>
  )
}
