import type { ReactNode } from 'react'
import type { ServerVersion } from '../../ravendb/versions.ts'
import { targetWords, type Action, type ActionCall } from '../model.ts'
import styles from './actions.module.css'

interface ConsequencesProps {
  /** Id of the text that describes the dialog. */
  readonly id: string
  readonly action: Action
  readonly calls: readonly ActionCall[]
  readonly version: ServerVersion
}

/** Effects and losses for all targets in one list; equal ones are shown once. */
export function Consequences({ id, action, calls, version }: ConsequencesProps): ReactNode {
  const all = calls.map((call) => ({
    call,
    what: action.consequence(call, version),
    loss: action.loss(call, version),
  }))
  const losses = new Set(all.map(({ loss }) => loss))
  const [common = null] = losses.size === 1 ? losses : []
  return (
    <div id={id} className={styles.dialog}>
      {calls.length === 1 ? (
        all.map(({ what }) => <p key={what}>{what}</p>)
      ) : (
        <ul className={styles.consequences} aria-label="What happens">
          {all.map(({ call, what, loss }) => (
            <li key={targetWords(call.target)}>
              {what}
              {common === null ? <Loss of={loss} /> : null}
            </li>
          ))}
        </ul>
      )}
      <Loss of={common} />
      <Loss of={action.onFailure.loses?.(version) ?? null} label="Can be lost if it fails" />
    </div>
  )
}

interface LossProps {
  /** Loss in words; null: none. */
  readonly of: string | null
  readonly label?: string
}

const Loss = ({ of, label = 'Can be lost' }: LossProps): ReactNode =>
  of === null ? null : (
    <p className={styles.loss}>
      <strong>{label}:</strong> {of}
    </p>
  )
