import type { ReactNode } from 'react'
import { cx } from './theme/cx.ts'
import { Icon } from './Icon.tsx'
import { LongText } from './LongText.tsx'
import styles from './Notice.module.css'

/** Same shape as `ErrorInfo` of `capture/client/state.ts`, which this folder must not import. */
export interface NoticeError {
  readonly kind?: string
  readonly endpoint: string
  readonly status: number | null
  readonly message: string
  readonly serverMessage: string | null
  readonly hint: string
}

export interface NoticeProps {
  readonly tone: 'info' | 'warn' | 'error'
  /** The fault in one sentence. */
  readonly title: string
  /** Place of the fault, and what to do. */
  readonly children?: ReactNode
  readonly actions?: ReactNode
}

/** A message that stays in the page. Screen readers announce errors at once, others politely. */
export function Notice({ tone, title, children, actions }: NoticeProps): ReactNode {
  return (
    <div className={cx('wrap', styles.notice, styles[tone])} role={tone === 'error' ? 'alert' : 'status'}>
      <span className={styles.icon}>
        <Icon name={tone === 'info' ? 'info' : 'alert'} />
      </span>
      <div className={styles.text}>
        <p className={styles.title}>{title}</p>
        {children}
      </div>
      {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
    </div>
  )
}

/** Result of a request: its HTTP status, or that there was no response; empty if there was no request. */
export const outcomeOf = ({ kind, status }: NoticeError): string =>
  status !== null ? ` · HTTP ${String(status)}` : kind === 'network' || kind === 'timeout' ? ' · no answer' : ''

interface ErrorNoticeProps {
  readonly error: NoticeError
  readonly tone?: 'warn' | 'error'
  readonly children?: ReactNode
  readonly actions?: ReactNode
}

/** A complete error: what happened, where, the response, what to do, and the server's own words in a fold. */
export function ErrorNotice({ error, tone = 'error', children, actions }: ErrorNoticeProps): ReactNode {
  return (
    <Notice tone={tone} title={error.message} actions={actions}>
      {error.hint === '' ? null : <p>{error.hint}</p>}
      {children}
      <p className="note">
        <code>{error.endpoint}</code>
        {outcomeOf(error)}
      </p>
      {error.serverMessage === null || error.serverMessage === '' ? null : (
        <details className={cx('note', styles.details)}>
          <summary>Server message</summary>
          <LongText text={error.serverMessage} className={styles.message} />
        </details>
      )}
    </Notice>
  )
}
