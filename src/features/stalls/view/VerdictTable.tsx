import type { ReactNode } from 'react'
import { formatCount, formatShare } from '../../../base/text/format.ts'
import { SideScrollBox } from '../../../ui/table/SideScrollBox.tsx'
import type { CauseJudgement, CircumstanceJudgement, StallCause } from '../contract.ts'
import { CAUSE_TITLES } from '../data/causes.ts'
import report from '../../../ui/report.module.css'
import { cx } from '../../../ui/theme/cx.ts'
import styles from './stalls.module.css'
import {
  CIRCUMSTANCE_TITLES,
  CIRCUMSTANCE_VERDICTS,
  describeCircumstance,
  describeEvidence,
  MECHANISMS,
  VERDICTS,
} from './words.ts'

/** What is said of a cause for which no evidence was found must not read as a finding. */
const lookedFor = ({ cause, stalls }: CauseJudgement): string => {
  const mechanism = MECHANISMS[cause]
  return stalls > 0 || cause === 'unexplained'
    ? mechanism
    : `Looked for: ${mechanism.charAt(0).toLowerCase()}${mechanism.slice(1)}`
}

/** One line for each cause: its verdict, its share, and the evidence for and against it. */
export function VerdictTable({
  judgements,
  circumstances,
  chosen,
  counter,
  onChoose,
  onCounter,
}: {
  readonly judgements: readonly CauseJudgement[]
  readonly circumstances: readonly CircumstanceJudgement[]
  readonly chosen: StallCause | null
  readonly onChoose: (cause: StallCause | null) => void
  /** Counter-examples are to be shown, or no longer. */
  readonly onCounter: (cause: StallCause | null) => void
  readonly counter: StallCause | null
}): ReactNode {
  const allStalls = judgements[0]?.allStalls ?? 0
  return (
    <SideScrollBox label="Causes" className="raised">
      <table className={styles.table}>
        <caption className="spoken">Verdict on each cause</caption>
        <thead>
          <tr>
            <th scope="col">Cause</th>
            <th scope="col">Verdict</th>
            <th scope="col" className={report.figure}>
              Stalls
            </th>
            <th scope="col" className={report.figure}>
              Share
            </th>
            <th scope="col">Evidence</th>
          </tr>
        </thead>
        <tbody>
          {judgements.map((judgement) => (
            <tr key={judgement.cause} data-verdict={judgement.verdict}>
              <th scope="row" title={MECHANISMS[judgement.cause]}>
                <button
                  type="button"
                  className={cx('bare', styles.cause)}
                  aria-pressed={chosen === judgement.cause}
                  disabled={judgement.stalls === 0}
                  onClick={() => onChoose(chosen === judgement.cause ? null : judgement.cause)}
                >
                  {CAUSE_TITLES[judgement.cause]}
                </button>
              </th>
              <td className={report.verdict}>{judgement.cause === 'unexplained' ? '' : VERDICTS[judgement.verdict]}</td>
              <td className={report.figure}>{formatCount(judgement.stalls)}</td>
              <td className={report.figure}>
                {judgement.allStalls === 0 ? '' : formatShare(judgement.stalls / judgement.allStalls)}
              </td>
              <td className="faint">
                {describeEvidence(judgement) || lookedFor(judgement)}{' '}
                {judgement.counterExamples.length === 0 ? null : (
                  <button
                    type="button"
                    className={cx('bare', styles.link)}
                    aria-pressed={counter === judgement.cause}
                    onClick={() => onCounter(counter === judgement.cause ? null : judgement.cause)}
                  >
                    Counter-examples
                  </button>
                )}
              </td>
            </tr>
          ))}
          {circumstances.map((judgement) => (
            <tr key={judgement.circumstance} data-verdict={judgement.verdict}>
              <th scope="row">{CIRCUMSTANCE_TITLES[judgement.circumstance]}</th>
              <td className={report.verdict}>{CIRCUMSTANCE_VERDICTS[judgement.verdict]}</td>
              <td className={report.figure}>
                {judgement.verdict === 'not-recorded' ? '' : formatCount(judgement.stalls)}
              </td>
              <td className={report.figure}>
                {allStalls === 0 || judgement.verdict === 'not-recorded'
                  ? ''
                  : formatShare(judgement.stalls / allStalls)}
              </td>
              <td className="faint">{describeCircumstance(judgement)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </SideScrollBox>
  )
}
