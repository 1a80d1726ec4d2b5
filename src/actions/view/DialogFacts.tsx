import { useQueryClient } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { useCapture } from '../../capture/client/view.ts'
import { isAnother } from '../client/confirmation.ts'
import { usePendingConfirmation, useSession } from '../client/session.ts'
import { databaseFactsOf, findDatabase, useDatabasesToActOn } from '../client/use-databases.ts'
import { useIndexesToActOn } from '../client/use-indexes.ts'
import { isSameTarget, targetWords, type ActionFacts, type ActionTarget } from '../model.ts'

interface DialogFactsProps {
  readonly targets: readonly ActionTarget[]
}

/** Reads the facts of the targets again while a dialog is open. Reports targets that are gone or replaced. */
export function DialogFacts({ targets }: DialogFactsProps): ReactNode {
  const [first] = targets
  if (first === undefined || first.database === null) return null
  if (first.kind === 'index') return <OfIndexes database={first.database} targets={targets} />
  return first.kind === 'database' ? <OfDatabases targets={targets} /> : null
}

function OfIndexes({ database, targets }: DialogFactsProps & { readonly database: string }): ReactNode {
  // Read fresh, since the confirmation is about the indexes and another client may have changed them.
  const indexes = useIndexesToActOn(database, true)
  const factsOf = ({ name }: ActionTarget): ActionFacts | undefined =>
    indexes?.find((index) => index.name === name)?.facts
  return <Learned targets={targets} isKnown={indexes !== null} factsOf={factsOf} />
}

const EVERY_MS = 3000

function OfDatabases({ targets }: DialogFactsProps): ReactNode {
  const capture = useCapture()
  const queries = useQueryClient()
  const rows = useDatabasesToActOn(EVERY_MS)
  // The list may be some seconds old, so that the dialog would miss a lock that was just set.
  useEffect(() => {
    const again = (): void => void queries.invalidateQueries({ queryKey: ['databases.list'] })
    capture.request('databases.renew', null).then(again, again)
  }, [capture, queries])
  const factsOf = ({ database }: ActionTarget): ActionFacts | undefined => {
    const row = findDatabase(rows ?? [], database)
    return row === undefined ? undefined : databaseFactsOf(row)
  }
  return <Learned targets={targets} isKnown={rows !== undefined} factsOf={factsOf} />
}

interface LearnedProps extends DialogFactsProps {
  readonly isKnown: boolean
  /** Undefined: the target does not exist. */
  readonly factsOf: (target: ActionTarget) => ActionFacts | undefined
}

function Learned({ targets, isKnown, factsOf }: LearnedProps): ReactNode {
  const { confirmation } = useSession()
  const pending = usePendingConfirmation()
  // A shard is in no list under its own name.
  const isGone = (target: ActionTarget): boolean =>
    isKnown && factsOf(target) === undefined && !target.database?.includes('$')
  const factsBefore = (target: ActionTarget): ActionFacts | undefined =>
    pending?.calls.find((call) => isSameTarget(call.target, target))?.facts
  const gone = targets.filter(isGone)
  const others = targets.filter((target) => isAnother(factsBefore(target), factsOf(target)))
  useEffect(() => {
    confirmation.setAbsent([...gone, ...others])
    for (const target of targets) {
      const facts = factsOf(target)
      if (facts !== undefined) confirmation.learn(target, facts)
    }
  })
  return (
    <>
      {gone.map((target) => (
        <p key={targetWords(target)} role="alert">
          <bdi>{targetWords(target)}</bdi> does not exist any more. Nothing is sent to it.
        </p>
      ))}
      {others.map((target) => (
        <p key={targetWords(target)} role="alert">
          <bdi>{targetWords(target)}</bdi> was created again, or reset, since it was chosen. Nothing is sent to it: look
          at it, then choose again.
        </p>
      ))}
    </>
  )
}
