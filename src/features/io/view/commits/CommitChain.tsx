import type { Ticks } from '../../../../base/ticks.ts'
import { useTimes } from '../../../../capture/client/times.ts'
import { useState, type ReactNode } from 'react'
import type { TimeRange } from '../../../../base/ticks.ts'
import { useAttempt } from '../../../../capture/client/requests/useAttempt.ts'
import { useCapture } from '../../../../capture/client/view.ts'
import { AttemptFailure } from '../../../../capture/frame/notices/AttemptFailure.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import type { IoCommitsParams, IoCommitsResponse } from '../../../../feeds/io/contract/details.ts'
import { RowTable } from '../../../../ui/table/RowTable.tsx'
import styles from '../details/side.module.css'
import { commitLines, describeSums, describeWriters } from './commit-lines.ts'

interface CommitChainProps {
  readonly params: IoCommitsParams
  /** Whether the capture is a file; then no request goes to a server for its current data. */
  readonly isFile: boolean
}

/** Steps of the commit that waited for a journal write, requested by a click. */
export default function CommitChain({ params, isFile }: CommitChainProps): ReactNode {
  const capture = useCapture()
  const { attempt, failure, isRunning } = useAttempt()
  const [known, setKnown] = useState<{ readonly response: IoCommitsResponse; readonly range: TimeRange } | null>(null)
  const load = async (): Promise<void> => {
    const requested = await attempt('Could not ask for the commit', () => capture.request('io.commits', params))
    if (requested.ok) setKnown({ response: requested.result, range: params.range })
  }
  const isOfView =
    known !== null &&
    known.range.startTicks === params.range.startTicks &&
    known.range.endTicks === params.range.endTicks
  return (
    <section aria-label="Commit chain">
      <AttemptFailure of={failure} />
      {known === null ? null : known.response.known ? (
        <Known response={known.response} isOfView={isOfView} isFile={isFile} />
      ) : (
        <p>{UNKNOWN[known.response.why]}</p>
      )}
      {isOfView ? null : (
        <Button
          small
          disabled={isRunning}
          title={
            STEPS +
            (isFile ? 'the file reports them' : 'the server reports its last 256 transactions (2.7 ms of its CPU)')
          }
          onClick={() => void load()}
        >
          {known === null ? 'Show the commit' : 'Ask again'}
        </Button>
      )}
    </section>
  )
}

const STEPS = 'Waiting for work, transaction, compression and journal write, as '

const UNKNOWN = {
  unloaded: 'The database is not loaded: its transactions are not known any more.',
  'not-in-file': 'The file does not report the transactions of this database.',
}

interface KnownProps {
  readonly response: Extract<IoCommitsResponse, { readonly known: true }>
  /** Whether the sums belong to the range in view, not to a previous one. */
  readonly isOfView: boolean
  readonly isFile: boolean
}

function Known({ response: { commit, sums, sinceTicks }, isOfView, isFile }: KnownProps): ReactNode {
  const times = useTimes()
  const time = (ticks: Ticks): string => times(ticks, 3)
  return (
    <>
      <p>
        {commit !== null
          ? describeWriters(commit)
          : sinceTicks === null
            ? `The ${isFile ? 'file' : 'server'} reports no single transactions of this database.`
            : isFile
              ? `The file does not report the transaction of this journal write: the server kept the last 256 at most, since ${time(sinceTicks)}.`
              : `The server does not report the transaction of this journal write any more: it keeps the last 256 at most, now since ${time(sinceTicks)}.`}
      </p>
      <RowTable
        className={styles.summary}
        label="Steps of the commit"
        rows={commitLines(commit, sums)}
        keyOf={({ step }) => step}
        columns={[
          { title: 'Step', cell: ({ step }) => step, cellHint: ({ hint }) => hint },
          { title: 'This commit', cell: ({ own }) => own },
          { title: isOfView ? 'Commits in view' : 'Commits then in view', cell: ({ all }) => all },
        ]}
      />
      <p>
        {sums === null
          ? `No commit ${isOfView ? '' : 'then '}in view is known step by step.`
          : describeSums(sums, time(sums.firstTicks), time(sums.lastTicks))}
      </p>
    </>
  )
}
