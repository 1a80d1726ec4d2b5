import { describeAge } from '../../../capture/frame/notices/figure-age.ts'
import { useState, type ReactNode } from 'react'
import type { PanelProps } from '../../../capture/frame/panel.ts'
import { PanelFrame } from '../../../capture/frame/PanelFrame.tsx'
import { formatPlural, uncapitalise } from '../../../base/text/format.ts'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useView } from '../../../capture/client/view.ts'
import { cx } from '../../../ui/theme/cx.ts'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import { useNow } from '../../../ui/hooks/now.ts'
import type { Triage } from '../contract/findings.ts'
import { serverUnresponsive } from '../data/rules/server.ts'
import { BusiestNow } from './BusiestNow.tsx'
import { LackingNote } from '../../../capture/frame/notices/LackingNote.tsx'
import { StaleNotice } from '../../../capture/frame/notices/StaleNotice.tsx'
import { CheckMore } from './CheckMore.tsx'
import { LimitLine } from './LimitLine.tsx'
import { TriageList } from './TriageList.tsx'
import { RuleList } from './RuleList.tsx'
import { PanelSentence } from '../../../ui/PanelSentence.tsx'
import styles from './triage.module.css'
import { NoDataYet } from './NoDataYet.tsx'
import { VerdictIcon } from './VerdictIcon.tsx'
import { useActivity, useServerNow, useServerWatch, useTriage } from './useTriageData.ts'
import { VitalSigns } from './VitalSigns.tsx'
import { WhatHappened } from './WhatHappened.tsx'
import { RunningText } from '../../../ui/RunningText.tsx'

/** Maximum number of checks that are named in one line. */
const MOST_NAMED = 4

/** First view of a server: its state in a sentence, and the worst findings, each with a link. */
export default function TriagePanel({ panel }: PanelProps): ReactNode {
  const state = useCaptureState()
  const { view } = useView()
  const watch = useServerWatch()
  const { response: now } = useServerNow()
  const { response: triage, error } = useTriage()
  const { response: activity } = useActivity()
  const reported = now?.watch ?? watch
  const age = describeAge(reported?.lastReceivedMs ?? null, useNow())
  // A state that was healthy in the last data may have changed since.
  const current = age === null && state.serverError === null
  const hasData = reported !== null && reported.lastReceivedMs !== null && triage !== null
  const isJudged = useWasJudged(triage)
  // The sentence begins with that finding already.
  const isSilenceFirst = triage?.items[0]?.rule === serverUnresponsive.rule
  return (
    <PanelFrame panel={panel} className={cx('column', styles.panel)}>
      <header className={styles.head}>
        {!hasData ? (
          <NoDataYet error={state.serverError} withheld={reported?.withheld ?? null} />
        ) : (
          <PanelSentence isHeading isPast={!current && !isSilenceFirst}>
            <VerdictIcon
              isCalm={triage.calm && current}
              worst={current || isSilenceFirst ? triage.items[0]?.level : undefined}
            />
            <span>
              {isSilenceFirst
                ? ''
                : age !== null
                  ? `As of ${age} ago: `
                  : current
                    ? ''
                    : 'The server does not answer. Last known: '}
              <RunningText text={triage.sentence} />
            </span>
          </PanelSentence>
        )}
      </header>
      <StaleNotice watch={reported} serverSilent={state.serverError !== null} />
      {error === null ? null : <ErrorNotice error={error} tone={triage === null ? 'error' : 'warn'} />}
      {triage !== null && triage.items.length > 0 ? (
        <div className={styles.findings}>
          <TriageList items={triage.items} nowTicks={now?.nowTicks ?? null} clock={view.clock} />
        </div>
      ) : current && error === null && reported?.withheld == null ? (
        <p className={cx('note', styles.findings, styles.none)}>Findings appear here, worst first.</p>
      ) : null}
      {triage === null || triage.more.length === 0 ? null : (
        <details className={cx('faint', styles.fold)}>
          <summary>{formatPlural(triage.more.length, 'more finding')}, less urgent</summary>
          <TriageList items={triage.more} nowTicks={now?.nowTicks ?? null} clock={view.clock} />
        </details>
      )}
      <div className={cx('column', styles.below, !isJudged && styles.awaiting)}>
        {now === null || now.extent === null ? null : <VitalSigns now={now} age={age} clock={view.clock} />}
        {/* Below what is there before it: it takes some seconds to be judged. */}
        {triage?.bottleneck == null || !current ? null : (
          <LimitLine bottleneck={triage.bottleneck} nowTicks={now?.nowTicks ?? null} clock={view.clock} />
        )}
        {now === null || activity === null || !hasData ? null : (
          <div className={styles.lately}>
            <BusiestNow activity={activity} age={age} />
            <WhatHappened
              activity={activity}
              nowTicks={now.nowTicks}
              lastVisitEndTicks={now.lastVisitEndTicks}
              clock={view.clock}
            />
          </div>
        )}
        {hasData ? <Unknown triage={triage} isLimited={reported.lacking.some(({ kind }) => kind === 'right')} /> : null}
        {hasData ? <CheckMore /> : null}
        {/* Missing rights are among the findings above. */}
        {reported === null ? null : <LackingNote lacking={reported.lacking.filter(({ kind }) => kind !== 'right')} />}
        {triage === null ? null : <RuleList rules={triage.rules} />}
      </div>
    </PanelFrame>
  )
}

/** Whether all that can be judged at once was judged since the panel was opened. */
function useWasJudged(triage: Triage | null): boolean {
  const [was, setWas] = useState(false)
  const is = was || (triage !== null && triage.checking === null && triage.hasFigures)
  if (is !== was) setWas(is)
  return is
}

/** Lists rules that could not judge, so that missing findings do not count as health. */
function Unknown({ triage, isLimited }: { readonly triage: Triage; readonly isLimited: boolean }): ReactNode {
  if (triage.unknown.length === 0) return null
  const titles = (of: (each: Triage['unknown'][number]) => boolean): string[] =>
    triage.unknown.filter(of).map((each) => uncapitalise(each.title))
  const words = [
    listed(
      titles(({ isPartly, isSampled, needsHistory }) => !isPartly && !isSampled && !needsHistory),
      'could not be judged',
    ),
    listed(
      titles(({ needsHistory }) => needsHistory),
      'judged without a history that is long enough',
    ),
    listed(
      titles(({ isPartly }) => isPartly),
      'judged in part',
    ),
    listed(
      titles(({ isSampled }) => isSampled),
      'judged by samples',
    ),
  ]
  return (
    <details className={cx('faint', styles.fold)}>
      <summary>{words.join('')}</summary>
      {isLimited ? <p>The server reports to this certificate only the databases that it may read.</p> : null}
      <dl className={styles.rules}>
        {triage.unknown.map((each) => (
          <div key={`${each.rule} ${each.why}`}>
            <dt>{each.title}</dt>
            <dd>{each.why}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/**
 * Describes a group of checks: `2 checks judged in part: …`. Without names if there are many; the list below has them.
 */
function listed(titles: readonly string[], how: string): string {
  if (titles.length === 0) return ''
  const named = titles.length > MOST_NAMED ? '' : `: ${titles.join('; ')}`
  return `${formatPlural(titles.length, 'check')} ${how}${named}. `
}
