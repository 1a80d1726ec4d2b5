import type { ReactNode } from 'react'
import styles from './FactLines.module.css'

export type FactLine = readonly [label: string, text: string]

/** Facts as label and text, one a line. Texts may be foreign and in any script. */
export function FactLines({ lines }: { readonly lines: readonly FactLine[] }): ReactNode {
  return (
    <dl className={styles.lines}>
      {lines.map(([label, text]) => (
        <div key={label} className={styles.line}>
          <dt>{label}</dt>
          <dd>
            <bdi>{text}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}
