import type { ReactNode } from 'react'
import { formatCount, formatPlural, formatShare } from '../../../base/text/format.ts'
import { SideScrollBox } from '../../../ui/table/SideScrollBox.tsx'
import { CAUSE_TITLES, type CauseJudgement, type CircumstanceJudgement, type StallCause } from '../contract.ts'
import report from '../../../ui/report.module.css'
import { cx } from '../../../ui/theme/cx.ts'
import styles from './stalls.module.css'
import { CIRCUMSTANCE_TITLES, describeCircumstance, describeEvidence, MECHANISMS, VERDICTS } from './words.ts'

interface VerdictTableProps {
  readonly judgements: readonly CauseJudgement[]
  readonly circumstances: readonly CircumstanceJudgement[]
  readonly chosen: StallCause | null
  readonly onChoose: (cause: StallCause | null) => void
  /** Called to show the counter-examples of a cause, or with null to hide them. */
  readonly onCounter: (cause: StallCause | null) => void
  readonly counter: StallCause | null
}

/** Table of the causes with evidence, most stalls first, and a line for all other causes. */
export function VerdictTable(props: VerdictTableProps): ReactNode {
  const { judgements, circumstances, chosen, counter, onChoose, onCounter } = props
  const found = judgements
    .filter(({ stalls }) => stalls > 0)
    .toSorted((a, b) => Number(a.cause === 'unexplained') - Number(b.cause === 'unexplained') || b.stalls - a.stalls)
  const beside = circumstances.filter(({ verdict }) => verdict === 'may-contribute')
  return (
    <>
      {found.length === 0 ? null : (
        <SideScrollBox label="Causes" className="raised">
          <table className={styles.table}>
            <caption className="spoken">Causes with evidence</caption>
            <thead>
              <tr>
                <th scope="col">Cause</th>
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
              {found.map((judgement) => (
                <tr key={judgement.cause} data-verdict={judgement.verdict}>
                  <th scope="row" title={MECHANISMS[judgement.cause]}>
                    <button
                      type="button"
                      className={cx('bare', styles.cause)}
                      aria-pressed={chosen === judgement.cause}
                      title="Lists these stalls only"
                      onClick={() => onChoose(chosen === judgement.cause ? null : judgement.cause)}
                    >
                      {CAUSE_TITLES[judgement.cause]}
                    </button>
                  </th>
                  <td className={report.figure}>{formatCount(judgement.stalls)}</td>
                  <td className={report.figure}>{formatShare(judgement.stalls / judgement.allStalls)}</td>
                  <td className="faint">
                    {describeEvidence(judgement)}{' '}
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
              {beside.map((judgement) => (
                <tr key={judgement.circumstance} data-verdict={judgement.verdict}>
                  <th scope="row">{CIRCUMSTANCE_TITLES[judgement.circumstance]} (may contribute)</th>
                  <td className={report.figure}>{formatCount(judgement.stalls)}</td>
                  <td className={report.figure}>
                    {formatShare(judgement.stalls / (found[0]?.allStalls ?? judgement.stalls))}
                  </td>
                  <td className="faint">{describeCircumstance(judgement)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </SideScrollBox>
      )}
      <OtherCauses
        judgements={judgements.filter(({ cause, stalls }) => stalls === 0 && cause !== 'unexplained')}
        circumstances={circumstances.filter(({ verdict }) => verdict !== 'may-contribute')}
      />
    </>
  )
}

type OtherCausesProps = Pick<VerdictTableProps, 'judgements' | 'circumstances'>

/** Causes without evidence, collapsed into a line. */
function OtherCauses({ judgements, circumstances }: OtherCausesProps): ReactNode {
  const rows = [
    ...judgements.map((judgement) => ({
      key: judgement.cause,
      title: CAUSE_TITLES[judgement.cause],
      verdict: judgement.verdict,
      text: describeEvidence(judgement),
    })),
    ...circumstances.map((judgement) => ({
      key: judgement.circumstance,
      title: CIRCUMSTANCE_TITLES[judgement.circumstance],
      verdict: judgement.verdict,
      text: judgement.verdict === 'not-recorded' ? '' : describeCircumstance(judgement),
    })),
  ]
  if (rows.length === 0) return null
  const verdicts = new Set(rows.map(({ verdict }) => VERDICTS[verdict]))
  return (
    <details className={styles.others}>
      <summary className="faint">
        {formatPlural(rows.length, 'other cause')}: {[...verdicts].join(', ')}
      </summary>
      <ul className="faint">
        {rows.map(({ key, title, verdict, text }) => (
          <li key={key}>
            {title}: {VERDICTS[verdict]}. {text}
          </li>
        ))}
      </ul>
    </details>
  )
}
