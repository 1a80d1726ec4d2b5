import type { ReactNode } from 'react'
import { paramsOfPanel } from '../../../capture/client/panels.ts'
import { useView } from '../../../capture/client/view.ts'
import { CAUSE_TITLES, STALL_CAUSES, type StallsResponse } from '../contract.ts'
import { parseRule } from '../link-settings.ts'
import styles from './stalls.module.css'
import { describeCoverage, describeRule, MECHANISMS } from './words.ts'

/** Explanation of the method, and of the data that the judgement rests on. */
export function JudgedHow({ response }: { readonly response: StallsResponse }): ReactNode {
  const { params } = useView().view
  return (
    <details className={styles.others}>
      <summary className="faint">How is this judged</summary>
      <ul className="faint">
        <li>A journal write stalls when it takes {describeRule(parseRule(paramsOfPanel('stalls', params)))}.</li>
        {STALL_CAUSES.map((cause) => (
          <li key={cause}>
            {CAUSE_TITLES[cause]}: {MECHANISMS[cause]}
          </li>
        ))}
        <li>All of the capture is judged; the range says what is counted.</li>
        <li>{describeCoverage(response)}</li>
      </ul>
    </details>
  )
}
