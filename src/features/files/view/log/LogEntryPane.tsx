import type { ReactNode } from 'react'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { LongText } from '../../../../ui/LongText.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import { LINE_UNITS } from './log-lines.ts'
import type { LogLine } from './log-lines.ts'
import { formatCount } from '../../../../base/text/format.ts'
import styles from './log.module.css'

/** A log entry in full, with its continuation lines. */
export function LogEntryPane({ lines }: { readonly lines: readonly LogLine[] }): ReactNode {
  const text = lines.map((line) => `${line.text}${line.isCut ? '…' : ''}`).join('\n')
  return (
    <section className={cx('raised', 'stack', styles.pane)} aria-label="Chosen entry">
      <header className={cx('row', styles.tools)}>
        <span className="faint">byte {formatCount(lines[0]?.at ?? 0)}</span>
        {lines.some(({ isCut }) => isCut) ? (
          <span className="faint">cut after {formatCount(LINE_UNITS)} characters; the text has all of it</span>
        ) : null}
        <span className="push" />
        <CopyButton label="Copy entry" text={() => text} />
      </header>
      <LongText key={lines[0]?.at ?? 0} text={text} className={styles.entry} label="Entry" />
    </section>
  )
}
