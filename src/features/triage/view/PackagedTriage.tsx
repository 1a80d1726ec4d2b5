import { formatPercent } from '../../../base/text/figures.ts'
import type { ReactNode } from 'react'
import { formatBytes, formatDateTime, formatPlural } from '../../../base/text/format.ts'
import { useRequest } from '../../../capture/client/requests/useRequest.ts'
import { useView } from '../../../capture/client/view.ts'
import { asOf, PackageHead } from '../../../capture/frame/PackageHead.tsx'
import type { PackagedProps } from '../../../capture/frame/panel.ts'
import { PanelFrame } from '../../../capture/frame/PanelFrame.tsx'
import { PanelLink } from '../../../capture/frame/PanelLink.tsx'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import { LongText } from '../../../ui/LongText.tsx'
import type { PackageFinding, PackageNode, PackageReport, PackageTriage } from '../../package/contract.ts'
import type { TriageItem } from '../contract/findings.ts'
import { PackageChanges } from './PackageChanges.tsx'
import { TriageList } from './TriageList.tsx'
import { RuleList } from './RuleList.tsx'
import { VerdictIcon } from './VerdictIcon.tsx'
import { PanelSentence } from '../../../ui/PanelSentence.tsx'
import styles from './triage.module.css'
import type {} from '../../files/contract.ts'

const FIRST = 5

/**
 * Servers of a debug package as of its creation: the worst finding in a sentence, and for each finding the entry that
 * shows it.
 */
export default function PackagedTriage({ panel, file }: PackagedProps): ReactNode {
  const { response: report, error } = useRequest('package.report', { file }, { version: file, everyMs: 1000 })
  return (
    <PanelFrame panel={panel} className={cx('column', styles.panel)}>
      {error === null ? null : <ErrorNotice error={error} />}
      {report === null ? <Spinner>Reading the package</Spinner> : <Judged report={report} />}
    </PanelFrame>
  )
}

function Judged({ report }: { readonly report: PackageReport }): ReactNode {
  const { file, atTicks, nodes, triage } = report
  const { clock } = useView().view
  const { findings } = triage
  const list = (items: readonly PackageFinding[]): ReactNode => (
    <TriageList items={items} nowTicks={atTicks} clock={clock} waysOf={entryWay(file)} />
  )
  return (
    <>
      <header className={styles.head}>
        <PanelSentence isHeading>
          <VerdictIcon isCalm={triage.isCalm} worst={findings[0]?.level} />
          {`${asOf(atTicks, clock)}: ${triage.sentence}`}
        </PanelSentence>
      </header>
      <PackageHead file={file} atTicks={atTicks} />
      {list(findings.slice(0, FIRST))}
      {findings.length <= FIRST ? null : (
        <details className={cx('faint', styles.fold)}>
          <summary>{formatPlural(findings.length - FIRST + triage.more, 'more finding')}, less urgent</summary>
          {list(findings.slice(FIRST))}
        </details>
      )}
      <PackageChanges file={file} />
      <ul className="stack" aria-label="Servers of the package">
        {nodes.map((node) => (
          <li key={node.prefix}>
            <bdi>{describeNode(node)}</bdi> <PanelLink panel="server">Open Vitals</PanelLink>
            {' · '}
            <PanelLink panel="databases">{`Open ${formatPlural(node.databases, 'database')}`}</PanelLink>
            {node.startTicks === null ? null : (
              <span className="faint"> · started {formatDateTime(node.startTicks, clock, 0)}</span>
            )}
          </li>
        ))}
      </ul>
      <NotGathered report={report} />
      <Unknown triage={triage} />
      <RuleList rules={triage.rules} />
    </>
  )
}

/** Describes a node: `Node A, RavenDB 7.1.5: machine 12 % busy, 4.2 GiB of 16 GiB available.` */
function describeNode({
  tag,
  version,
  machinePercent,
  availableBytes,
  physicalBytes,
  established,
}: PackageNode): string {
  const name = [tag === null ? 'Server' : `Node ${tag}`, ...(version === null ? [] : [`RavenDB ${version}`])].join(', ')
  const figures = [
    ...(machinePercent === null ? [] : [`machine ${formatPercent(machinePercent)} busy`]),
    ...(availableBytes === null || physicalBytes === null
      ? []
      : [`${formatBytes(availableBytes)} of ${formatBytes(physicalBytes)} of memory available`]),
    ...(established === null ? [] : [formatPlural(established, 'connection')]),
  ]
  return figures.length === 0 ? `${name}.` : `${name}: ${figures.join(', ')}.`
}

/** Returns the link to the entry that shows a finding. */
const entryWay =
  (file: string) =>
  (item: TriageItem): ReactNode => {
    const { entry } = item as PackageFinding
    if (entry === null) return null
    return (
      <PanelLink
        panel="files"
        parts={{ params: { 'files.file': file, 'files.entry': entry } }}
        label={`Entry ${entry}`}
      >
        <bdi>{entry.slice(entry.lastIndexOf('/') + 1)}</bdi>
      </PanelLink>
    )
  }

/** Lists missing responses. Without them no server is called healthy. */
function NotGathered({ report: { nodes } }: { readonly report: PackageReport }): ReactNode {
  const failed = nodes.flatMap((node) => node.failed)
  if (failed.length === 0) return null
  return (
    <details className={cx('faint', styles.fold)}>
      <summary>{formatPlural(failed.length, 'response')} could not be gathered or read</summary>
      <dl className={styles.rules}>
        {failed.map(({ entry, message }) => (
          <div key={entry}>
            <dt>
              <bdi>{entry}</bdi>
            </dt>
            <dd>
              <bdi>{message}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/**
 * Lists what was not judged, or not of everything: first what this package lacks, then what no package has.
 */
function Unknown({ triage: { unknown } }: { readonly triage: PackageTriage }): ReactNode {
  const lacking = unknown.filter(({ isLack }) => isLack)
  const others = unknown.filter(({ isLack }) => !isLack)
  return (
    <>
      <Unjudged
        items={lacking}
        title={`${formatPlural(lacking.length, 'check')} ${lacking.length === 1 ? 'lacks' : 'lack'} entries that are missing or unreadable`}
      />
      <Unjudged
        items={others}
        title={`${formatPlural(others.length, 'check')} ${others.length === 1 ? 'needs' : 'need'} more than a package has`}
      />
    </>
  )
}

function Unjudged({ items, title }: { readonly items: PackageTriage['unknown']; readonly title: string }): ReactNode {
  if (items.length === 0) return null
  return (
    <details className={cx('faint', styles.fold)}>
      <summary>{title}</summary>
      <dl className={styles.rules}>
        {items.map((each) => (
          <div key={`${each.rule} ${each.why}`}>
            <dt>{each.title}</dt>
            <dd>
              <LongText text={each.why} isInline />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
