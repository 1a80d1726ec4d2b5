import type { ReactNode } from 'react'
import { formatPlural, type Clock } from '../../../../base/text/format.ts'
import { maySee } from '../../../../actions/access.ts'
import { useAccess } from '../../../../actions/client/session.ts'
import type { ActionFacts } from '../../../../actions/model.ts'
import { ActionList } from '../../../../actions/view/ActionList.tsx'
import { RecentActivity } from '../../../../actions/view/RecentActivity.tsx'
import { IndexErrorList } from '../../../../capture/database-details/IndexErrorList.tsx'
import { useDetailsOnceLoaded } from '../../../../capture/database-details/useDetail.ts'
import { useView, type ViewParts } from '../../../../capture/client/view.ts'
import { PanelLink } from '../../../../capture/frame/PanelLink.tsx'
import type { ListedDatabase } from '../../data/facts.ts'
import { DatabaseActions, factsOf } from '../DatabaseActions.tsx'
import { DatabaseCell } from '../DatabaseCell.tsx'
import { DATABASE_TABLE_COLUMNS } from '../DatabaseTable.tsx'
import { CountsPart } from './CountsPart.tsx'
import { IndexesPart } from './IndexesPart.tsx'
import { NoticesPart } from './NoticesPart.tsx'
import { StoragePart } from './StoragePart.tsx'
import { TasksPart } from './TasksPart.tsx'
import styles from './page.module.css'
import { cx } from '../../../../ui/theme/cx.ts'
import { LongText } from '../../../../ui/LongText.tsx'

/** Without name and state, which are in the heading. */
const FACTS = DATABASE_TABLE_COLUMNS.filter(({ id }) => id !== 'name' && id !== 'state')

interface DatabasePageProps {
  readonly name: string
  /** Row of the list; null: the server has no such database any more. */
  readonly row: ListedDatabase | null
}

/**
 * Page of a database: facts from the server's feeds, facts that only the database knows (requested while it is loaded,
 * or at a click that says that it loads it), and actions.
 */
export function DatabasePage({ name, row }: DatabasePageProps): ReactNode {
  const { clock } = useView().view
  const only: ViewParts = { sources: [`db:${name}`], range: null, selection: null }
  return (
    <section className={cx('column', styles.page)} aria-label={`Database ${name}`}>
      <nav aria-label="Back">
        <PanelLink panel="databases">All databases</PanelLink>
      </nav>
      <header className={cx('row', styles.head)}>
        <h2>
          <bdi>{name}</bdi>
        </h2>
        {row === null ? null : (
          <>
            <DatabaseCell row={row} columnId="state" />
            <span className="push" />
            <PanelLink panel="io" parts={only} label={`I/O of ${name}`}>
              I/O
            </PanelLink>
            <PanelLink panel="indexing" parts={only} label={`Indexing of ${name}`}>
              Indexing
            </PanelLink>
            <PanelLink panel="stalls" parts={only} label={`Stalls of ${name}`}>
              Stalls
            </PanelLink>
            <DatabaseActions row={row} text="Actions" />
          </>
        )}
      </header>
      {row === null ? <Unlisted name={name} /> : <Known row={row} name={name} clock={clock} />}
      <section className={styles.part} aria-label={`Recent actions on ${name}`}>
        <h3>Done from this browser</h3>
        <RecentActivity database={name} />
      </section>
    </section>
  )
}

const NO_FACTS: ActionFacts = {}

/**
 * Page of a database that the server does not list. Without access it is not known whether it exists; each action
 * states the access it needs.
 */
function Unlisted({ name }: { readonly name: string }): ReactNode {
  const access = useAccess()
  const isSeen = access === null ? null : maySee(name, access)
  if (isSeen !== false)
    return (
      <p role="status">
        There is no database of this name: it was deleted{isSeen === null ? ', or this certificate may not see it' : ''}
        .
      </p>
    )
  return (
    <>
      <p role="status">
        This certificate has no access to “<bdi>{name}</bdi>”, so the server does not say whether there is such a
        database. Use a certificate that has a right on it, or ask an administrator for one: reading is enough to see
        it.
      </p>
      <section className={styles.part} aria-label={`Actions on ${name}`}>
        <h3>Actions</h3>
        <ActionList target={{ kind: 'database', database: name, name: null }} facts={NO_FACTS} />
      </section>
    </>
  )
}

interface KnownProps {
  readonly row: ListedDatabase
  readonly name: string
  readonly clock: Clock
}

function Known({ row, name, clock }: KnownProps): ReactNode {
  const isPollable = row.state === 'online' || row.state === 'unloaded'
  useDetailsOnceLoaded(name, row.state === 'online')
  const notes = notesOf(row)
  return (
    <>
      {row.error === null ? null : <LongText className={styles.error} label="Why it failed" text={row.error} />}
      <dl className={cx('raised', styles.figures)}>
        {FACTS.map(({ id, title, header }) => (
          <div key={id}>
            <dt>{header ?? title}</dt>
            <dd>
              <DatabaseCell row={row} columnId={id} />
            </dd>
          </div>
        ))}
      </dl>
      {notes.length === 0 && !isPollable ? null : <p className={cx('note', styles.notes)}>{notes.join(' · ')}</p>}
      {isPollable ? (
        <div className={styles.parts}>
          <IndexesPart row={row} name={name} />
          <StoragePart name={name} indexes={row.indexes} />
          <CountsPart name={name} />
          <TasksPart name={name} clock={clock} />
          <NoticesPart row={row} name={name} clock={clock} />
          {(row.indexingErrors ?? 0) === 0 ? null : (
            <section className={styles.wide} aria-label={`Index errors of ${name}`}>
              <h3>Index errors</h3>
              <IndexErrorList database={name} indexes={[]} clock={clock} count={row.indexingErrors} />
            </section>
          )}
        </div>
      ) : (
        <p className="note">Its indexes, storage, tasks, alerts and hints are known once it is loaded.</p>
      )}
      {row.isSharded ? null : (
        <section className={styles.part} aria-label={`Actions on ${name}`}>
          <h3>Actions</h3>
          <ActionList target={{ kind: 'database', database: name, name: null }} facts={factsOf(row)} />
        </section>
      )}
    </>
  )
}

/** Notes shown with the figures. */
function notesOf({ facts, lock }: ListedDatabase): string[] {
  const work = facts?.work ?? null
  return [
    ...(lock === undefined || lock === 'Unlock' ? [] : [`locked against deletion: ${lock}`]),
    ...(work?.waiting == null ? [] : [`${formatPlural(work.waiting, 'write')} waiting for the transaction merger`]),
    ...(facts?.idle?.blockers.length ? [`stays loaded: ${facts.idle.blockers.join(' ')}`] : []),
  ]
}
