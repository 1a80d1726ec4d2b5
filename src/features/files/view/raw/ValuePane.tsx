import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { formatBytes, formatCount } from '../../../../base/text/format.ts'
import type { RawRequests, RawRef, RawStep } from '../../../../capture/raw/queries.ts'
import { MAX_VALUE_BYTES } from '../../../../capture/raw/queries.ts'
import { useCapture } from '../../../../capture/client/view.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { formatPath } from './raw-path.ts'
import { isNode } from './tree-store.ts'
import { requestRaw } from './useRaw.ts'
import styles from './viewer.module.css'
import { cx } from '../../../../ui/theme/cx.ts'

/** Initial length of a text, object or list, bytes. */
const SHORT_BYTES = 2000
const NODE_BYTES = 300
/** Length, bytes, above which a value is left to the text view: a page with it in one element would scroll badly. */
const LONG_BYTES = 256 << 10

type Value = RawRequests['raw.value']['response']

interface ValuePaneProps {
  readonly document: RawRef
  readonly steps: readonly RawStep[]
  readonly isOne: boolean
  readonly onText: (at: number) => void
}

/** The selected node: its path, and its value in full. */
export function ValuePane({ document, steps, isOne, onText }: ValuePaneProps): ReactNode {
  const capture = useCapture()
  const { file, entry } = document
  const child = steps.at(-1)?.child ?? null
  const at = child?.at ?? 0
  const sizeBytes = child === null || child.end === null ? null : child.end - child.at
  const [maxBytes, setMaxBytes] = useState(child !== null && isNode(child) ? NODE_BYTES : SHORT_BYTES)
  const [value, setValue] = useState<Value | null>(null)
  const path = formatPath(steps, isOne)

  useEffect(() => {
    const abort = new AbortController()
    requestRaw(capture, 'raw.value', { file, entry, at, maxBytes }, abort.signal).then(
      (response) => {
        if (!abort.signal.aborted) setValue(response)
      },
      () => undefined,
    )
    return () => abort.abort()
  }, [capture, file, entry, at, maxBytes])

  const written = (): string | Promise<string> =>
    value !== null && !value.isCut
      ? value.written
      : requestRaw(capture, 'raw.value', { file, entry, at, maxBytes: MAX_VALUE_BYTES }).then((whole) => whole.written)

  if (child === null) return null
  const canShowAll = sizeBytes !== null && sizeBytes <= LONG_BYTES
  return (
    <section className={cx('raised', 'stack', styles.value)} aria-label="Chosen value">
      <header className={cx('row', styles.valueHead)}>
        <code className={styles.path}>{path}</code>
        <span className={styles.faint}>
          byte {formatCount(child.at)}
          {sizeBytes === null ? '' : `, ${formatBytes(sizeBytes)}`}
        </span>
        <span className={cx('push', styles.push)} />
        <CopyButton label="Copy path" text={() => path} />
        {sizeBytes !== null && sizeBytes <= MAX_VALUE_BYTES ? (
          <CopyButton label="Copy value" text={written} />
        ) : (
          <Button small disabled title={`A clipboard takes values of up to ${formatBytes(MAX_VALUE_BYTES)}.`}>
            Copy value
          </Button>
        )}
        <Button small tone="quiet" onClick={() => onText(child.at)}>
          Show in text
        </Button>
      </header>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by key */}
      <pre className={styles.valueText} tabIndex={0} aria-label="Value">
        {value === null ? '' : (value.text ?? value.written)}
        {value?.isCut === true ? '…' : ''}
      </pre>
      {value?.isCut !== true || maxBytes > SHORT_BYTES ? null : canShowAll ? (
        <Button small onClick={() => setMaxBytes(LONG_BYTES)}>
          Show all {formatBytes(sizeBytes)}
        </Button>
      ) : (
        <Button small onClick={() => onText(child.at)}>
          Show all in the text
        </Button>
      )}
    </section>
  )
}
