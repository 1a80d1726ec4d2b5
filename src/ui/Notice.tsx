import type { ReactNode } from 'react'
import { cx } from './theme/cx.ts'
import { Icon } from './Icon.tsx'
import { LongText } from './LongText.tsx'
import styles from './Notice.module.css'

/** The shape of `ErrorInfo` of `capture/client/state.ts`, which this folder does not import. */
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
  /** Fault in one sentence. */
  readonly title: string
  /** Where, and what to do. */
  readonly children?: ReactNode
  readonly actions?: ReactNode
}

/** A message that stays in the page. Errors are read out at once, the rest when there is time. */
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

/** Outcome of a request: its HTTP status, or that nothing came; empty where nothing was requested of a server. */
export const outcomeOf = ({ kind, status }: NoticeError): string =>
  status !== null ? ` · HTTP ${String(status)}` : kind === 'network' || kind === 'timeout' ? ' · no answer' : ''

interface ErrorNoticeProps {
  readonly error: NoticeError
  readonly tone?: 'warn' | 'error'
  readonly children?: ReactNode
  readonly actions?: ReactNode
}

/** An error in full: what, where, what came, what to do, and the server's own words behind a fold. */
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
