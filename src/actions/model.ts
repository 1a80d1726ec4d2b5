import { formatPlural } from '../base/text/format.ts'
import type { Figure, Figures } from './figures.ts'
import type { Ticks } from '../base/ticks.ts'
import type { EndpointKey, Params } from '../ravendb/endpoints.ts'
import type { Right } from '../ravendb/http/error-texts.ts'
import type { WriteRequest } from '../ravendb/http/write.ts'
import type { Operation, OperationState } from '../ravendb/operations-wire.ts'
import type { ServerVersion, Since } from '../ravendb/versions.ts'

export type TargetKind =
  'server' | 'node' | 'database' | 'document' | 'index' | 'query' | 'operation' | 'notification' | 'environment'

/** Target of an action. Made to be stored and to cross threads. */
export interface ActionTarget {
  readonly kind: TargetKind
  /** Database of the target; null: the server. */
  readonly database: string | null
  /** Name of the index, environment or query, or id of the document, operation or notification; null: the database or server itself. */
  readonly name: string | null
}

/**
 * Facts about the target when the action is offered: for the consequence in figures, and to show afterwards what
 * changed. Left out: not known, which is never written as 0.
 */
export interface ActionFacts {
  /** State of an index: Normal, Disabled, Idle, Error … */
  readonly state?: string
  /** Status of an index: Running, Paused, Disabled, Pending … */
  readonly status?: string
  readonly isAuto?: boolean
  readonly isInvalid?: boolean
  readonly priority?: string
  readonly lock?: string
  readonly entries?: number
  /** Errors that are kept. */
  readonly errors?: number
  /** Documents that an index covers. */
  readonly documents?: number
  /** Documents a second that an index processed last. */
  readonly perSecond?: number
  readonly sizeBytes?: number
  /** A side-by-side replacement of the index is being built. */
  readonly hasReplacement?: boolean
  /** How far that is, 0 to 1. */
  readonly replacementDone?: number
  /** Replacements that are being built in the database of an index. */
  readonly rebuilding?: number
  readonly createdAt?: string
  /** Free space on the fullest volume that a database lies on. */
  readonly volumeFreeBytes?: number
  /** Time of the last backup of a database; null: the server knows of no backup. */
  readonly lastBackupTicks?: Ticks | null
  /** Whether a notification is of the server itself. */
  readonly isOfServer?: boolean
  /** Change vector of a document, as the list had it. */
  readonly changeVector?: string
  /** Kind of an operation, such as `Patch by query`. */
  readonly task?: string
  /** Progress of an operation: how much is done, and of how much. */
  readonly processed?: number
  readonly total?: number
}

/** An action with its target and inputs: what is clicked, stored, sent and checked. */
export interface ActionCall {
  /** Id of the action. */
  readonly action: string
  readonly target: ActionTarget
  /** Choices of the user, by name of the field; empty where nothing is chosen. */
  readonly inputs: Readonly<Record<string, string>>
  readonly facts: ActionFacts
}

/** Request of an action, without the parts that are the same for all. */
export interface ActionRequest {
  readonly method: WriteRequest['method']
  /** Each part of the path, not encoded. */
  readonly path: readonly string[]
  readonly query?: Readonly<Record<string, string>>
  /** Null or left out: none. */
  readonly body?: unknown
  /** As in `WriteRequest`. */
  readonly ifMatch?: string
  /** A command of the cluster: it takes an id, by which the server knows a repetition. */
  readonly isRaft?: boolean
  /** The request itself may take so long, ms; by default 60 s. */
  readonly timeoutMs?: number
  /** The database was not loaded when it was chosen: it loads it, and the consequence says so. */
  readonly mayLoad?: boolean
  /** Sent only for an unloaded database: it would end the work of a loaded one, and nothing is sent then. */
  readonly onlyUnloaded?: boolean
}

/** Finding of a check of the server’s state. */
export interface CheckResult {
  /**
   * `done`: the server is in the state that the action makes. `running`: on its way. `unchanged`: not (yet) in that
   * state. `gone`: the target is no longer there, so it will never be. `failed`: it ended otherwise. `unknown`: the state
   * cannot be read, or says nothing.
   */
  readonly state: 'done' | 'running' | 'unchanged' | 'gone' | 'failed' | 'unknown'
  /** Sentence about the finding. */
  readonly text: string
  /** Progress of a running action, 0 to 1; left out: not known. */
  readonly progress?: number
  /**
   * End of the checks. With `unknown`: nothing more will be known. With `unchanged`: the action is over, and nothing
   * more will change.
   */
  readonly isLast?: boolean
  /** The response was lost, and this was found out since in its place. */
  readonly accepted?: unknown
  /** Text of the server itself, where the sentence is another. */
  readonly detail?: string
  /** Identity of what the action has made, as it was seen first, such as the time of creation of a replacement. */
  readonly made?: string
}

/** A file on its way between the server and this computer. */
export interface TransferState {
  /** `complete`: it is whole, on the side where it goes. */
  readonly state: 'running' | 'complete' | 'failed'
  readonly bytes: number
  /** Size of the whole file; null: not known. */
  readonly totalBytes: number | null
  /** Why it failed, in words. */
  readonly error: string | null
  /** Whether it failed since the connection was lost: the server may have received all of it. */
  readonly isCut?: boolean
  /** Whether it is complete, and in the browser's downloads: if they could save it is not known here. */
  readonly isDownload?: boolean
}

/** `error` of a file that the user did not want any more. */
export const CANCELLED = 'It was cancelled.'

export interface CheckContext {
  readonly call: ActionCall
  /** Response of the server when it accepted, `true` for an empty body; null: not known. */
  readonly accepted: unknown
  /** Mark of the operations before it; left out: they were not read. */
  readonly mark?: OperationMark
  /** As an earlier check has seen it; left out: none has. */
  readonly made?: string
  /** Operations of the server itself, as its notifications reported them last. */
  readonly serverOperations: () => readonly Operation[]
  /** Figures measured before it; null: none, or they could not be read. */
  readonly before: Figures['before']
  /** When it was started or retried, wall clock, ms: before its request was sent. */
  readonly startedMs: number
  /** Wall clock before anything is read, ms. */
  readonly nowMs: number
  readonly version: ServerVersion
  /** Ids of the server's own notifications, as its socket reported them; null: it is not open. */
  readonly serverAlerts: ReadonlySet<string> | null
  /** A request that only reads, sent after the action, and loads nothing. Errors: `RavenError`. */
  readonly read: (key: EndpointKey, params: Params) => Promise<unknown>
  /** The file that goes with an operation of the target's database; null: there is none, or the page that had it is gone. */
  readonly transferOf: (operationId: number) => TransferState | null
}

/** Means to read right before a request is sent, each time. All of it loads nothing. Errors: `RavenError`. */
export interface Beforehand extends Pick<CheckContext, 'call' | 'version' | 'read'> {
  /** Full paths of the folders in a folder of this node. */
  readonly folders: (folder: string) => Promise<readonly string[]>
  /** Full paths of the backup files in a folder of this node and below it. */
  readonly backups: (folder: string) => Promise<readonly string[]>
}

/**
 * Recording beside an action that shows its effect: the batches of its index, figures of the server, I/O of its
 * environment.
 */
export type Recorded =
  /** `rebuild`: it has an index built again, as itself or beside it as a replacement. */
  | { readonly kind: 'index-batches'; readonly rebuild?: 'itself' | 'beside' }
  | { readonly kind: 'server'; readonly key: 'cpu.process'; readonly label: string }
  | { readonly kind: 'io'; readonly ioKind: 'DataFlush' | 'DataSync' }

export interface MeasureContext extends Pick<CheckContext, 'call' | 'read'> {
  /** How long the action took, ms; null: it has not begun. */
  readonly tookMs: number | null
}

/** How what an action is to change is read: by requests before and after, or by what the server answers to it. */
export type Measure = { readonly what: string } & (
  | { readonly read: (context: MeasureContext) => Promise<readonly Figure[]> }
  /** Figures from the response; null: the response was lost. */
  | { readonly answered: (accepted: unknown) => Figures | null }
)

/** State of the operations before an action begins one: identifies those that have begun since. */
export interface OperationMark {
  /** When the newest of its kind and target began, server time; null: there was none. */
  readonly newestTicks: Ticks | null
  /**
   * Numbers of the server itself; null: the operation is of a database, whose operations are listed, or they could not
   * be read.
   */
  readonly ofServer: {
    /** Operation number used up by the reading: operations of the server that begin later have larger ones. */
    readonly number: number
    /** When the server was started, as the server reports it: its numbers start again at each start. */
    readonly startedAt: string
  } | null
  /** When the newest alert that one failed was raised, server time; null: there is none. Left out: it was not read. */
  readonly failedTicks?: Ticks | null
}

/** A long operation that an action has the server begin. Of the server itself it is in no list. */
export type BegunOperation = BegunOfDatabase | BegunOfServer

interface BegunOfServer extends Omit<BegunOfDatabase, 'of' | 'failedAlert'> {
  readonly of: 'server'
  /** Whether a state is of this one, by what it reports of itself; null: it does not say (yet). */
  readonly isIt: (state: OperationState, call: ActionCall) => boolean | null
}

export interface BegunOfDatabase {
  readonly of: 'database'
  /** As the server names its kind, such as `DatabaseCompact`. */
  readonly task: string
  /** Advice where the server no longer knows the operation, in a sentence. */
  readonly afterwards?: string
  /** As the server describes this one, the same in all versions; case of the name aside. */
  readonly describe: (call: ActionCall) => string
  /** How the server alerts that one failed; left out: what it lists is enough. */
  readonly failedAlert?: { readonly type: string; readonly titleStart: string }
}

export interface Preset {
  readonly text: string
  readonly inputs: Readonly<Record<string, string>>
}

export interface ActionField {
  readonly name: string
  readonly label: string
  readonly hint?: string
  /** Its value at first. */
  readonly initial?: string
  /** Values that the field may have; left out: any text. */
  readonly choices?: readonly string[]
  /** Whether the field may stay empty. */
  readonly optional?: boolean
  /**
   * `file`: one of this computer. `backup`: one of the server, which can be searched. `folder`: one of the server, which can be browsed. `indexes`: those of the database that
   * are ticked, as `nameList` has them; left out where it is done to several databases. By default text.
   */
  readonly input?: 'file' | 'backup' | 'folder' | 'indexes'
}

/** Traces of a failure, as seen by another client of 7.1.5, 6.2.4 and 5.4.207 after failures were provoked. */
export interface OnFailure {
  /** A sentence or two. */
  readonly leaves: string
  /** Data that a failure can lose, for the dialog; null or left out: nothing. */
  readonly loses?: (version: ServerVersion) => string | null
}

/** Refused, for a wrong name or value, and nothing else was found to fail. */
export const AS_IT_WAS: OnFailure = { leaves: 'Everything as it was.' }

/**
 * Something that changes the server, as data: a row of the table (`table.ts`). From it come menus, dialog, request,
 * activity, markers and documentation.
 */
export interface Action {
  /** `‹target›.‹verb›`; stored, so it stays. */
  readonly id: string
  readonly target: TargetKind
  /** Text of the button. */
  readonly title: string
  /** Words for the completed action in a marker and the activity, without the target. */
  readonly done: string
  readonly right: Right
  /** Needed where the target belongs to the server itself, not to a database; left out: the same. */
  readonly serverRight?: Right
  /** First line of versions that has it. */
  readonly since?: Since
  /** Flag of `/license/status` without which the server refuses; the action is offered all the same, with this reason. */
  readonly licence?: string
  readonly confirm: 'none' | 'confirm' | 'type-name'
  /** Text of the button that dismisses the dialog and leaves all as it is; left out: Cancel. */
  readonly dismiss?: string
  /** Something is lost there that is not elsewhere, or may be where that is not known: it is confirmed all the same. */
  readonly confirmsAt?: (facts: ActionFacts, version: ServerVersion) => boolean
  /** Database that the action makes and is about: the field that names it, and the title with its name. */
  readonly makes?: { readonly field: string; readonly title: (name: string) => string }
  /** Entries of a menu. */
  readonly presets?: readonly Preset[]
  /** The dialog has a field for each. */
  readonly fields?: readonly ActionField[]
  /** Whether it makes sense for a target of which this is known; unknown facts do not forbid. */
  readonly applies: (facts: ActionFacts, inputs: Readonly<Record<string, string>>) => boolean
  readonly request: (call: ActionCall, version: ServerVersion) => ActionRequest
  /** Refusal before sending; left out: nothing forbids the action beforehand. */
  readonly refuses?: {
    /** For the documentation: not sent where … */
    readonly where: string
    /**
     * Why it must not be sent, in a sentence; null: it may. Read right before each request, so before a retry, too, and while
     * the dialog is filled in. Errors: `RavenError`; nothing is sent then.
     */
    readonly read: (before: Beforehand) => Promise<string | null>
  }
  /** Effect, in a sentence or two with the figures that are known. */
  readonly consequence: (call: ActionCall, version: ServerVersion) => string
  /** Data that can be lost; null: nothing. */
  readonly loss: (call: ActionCall, version: ServerVersion) => string | null
  readonly onFailure: OnFailure
  /** Reads the final state: accepting is not succeeding. */
  readonly check: (context: CheckContext) => Promise<CheckResult>
  /** How `check` finds out, for the documentation. */
  readonly read: string
  /**
   * Done means that something is no longer there. `check` reads it before the request, too: what is gone by then was not
   * removed by this, and nothing is sent.
   */
  readonly removes?: boolean
  /** Whether the action goes on after it was accepted: `check` is repeated until it ends. */
  readonly isLong?: boolean
  /** The server only takes note of it: what it changes may show so much later, ms. By default a few seconds. */
  readonly settleMs?: number
  /**
   * Operation that the action starts, so that it can be cancelled while it runs, and found where the response is lost;
   * left out: none.
   */
  readonly operation?: BegunOperation
  /** Undoes it; null: nothing does, or what was before is not known. */
  readonly inverse?: (call: ActionCall) => Pick<ActionCall, 'action' | 'inputs'> | null
  /** Figures that the action is to change; left out together with `recorded`: nothing that can be measured. */
  readonly measure?: Measure
  readonly recorded?: Recorded
  /**
   * A file goes with it. `download`: the response, which the page saves. `upload`: that of the field with `input: 'file'`,
   * in a form after the body. It ends with the page, and is not sent again.
   */
  readonly transfer?: 'download' | 'upload'
  /** Name of the part of an upload’s form that has the body; left out: `importOptions`. */
  readonly optionsPart?: string
  /**
   * A text or a file is its body, which the caller gives along and the activity does not keep: this is its name there. It is
   * not sent again by the activity.
   */
  readonly payload?: string
  /** Its state ends when the target is unloaded or paused no more: it is reminded of until undone. */
  readonly reminds?: string
}

/** Whether choosing it for what is known of a target opens a dialog. `version`: null where it is not known yet. */
export const asksFirst = (
  { confirm, fields, confirmsAt }: Action,
  facts: ActionFacts,
  version: ServerVersion | null,
): boolean =>
  confirm !== 'none' ||
  fields !== undefined ||
  (confirmsAt !== undefined && (version === null || confirmsAt(facts, version)))

/** Right that the user needs to run the action on that target. */
export const rightOf = ({ right, serverRight }: Pick<Action, 'right' | 'serverRight'>, target: ActionTarget): Right =>
  target.database === null ? (serverRight ?? right) : right

export const titleOf = (action: Action, inputs: ActionCall['inputs']): string =>
  action.presets?.find((preset) => isSameInputs(preset.inputs, inputs))?.text ?? action.title

/** Name of the database that it makes; null: it makes none, or it has no name yet. */
export function madeBy(action: Action | null, { inputs }: Pick<ActionCall, 'inputs'>): string | null {
  const name = action?.makes === undefined ? '' : (inputs[action.makes.field] ?? '').trim()
  return name === '' ? null : name
}

/** Words for an action with its target: `Restart: “shop”`, `Create database “shop”`. */
export function callWords(action: Action | null, title: string, call: Pick<ActionCall, 'target' | 'inputs'>): string {
  if (action?.makes === undefined) return `${title}: ${targetWords(call.target)}`
  const name = madeBy(action, call)
  return name === null ? title : action.makes.title(name)
}

export const isSameInputs = (a: ActionCall['inputs'], b: ActionCall['inputs']): boolean => {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name])
}

export const isSameTarget = (a: ActionTarget, b: ActionTarget): boolean =>
  a.kind === b.kind && a.database === b.database && a.name === b.name

const MANY: Partial<Readonly<Record<TargetKind, string>>> = { index: 'indexes', query: 'queries' }

/** `3 indexes` */
export const countWords = (kind: TargetKind, count: number): string => formatPlural(count, kind, MANY[kind])

/** `“Orders/ByCompany” of “shop”`. */
export function targetWords({ kind, database, name }: ActionTarget): string {
  if (kind === 'operation') return `operation ${name ?? ''} of ${database === null ? 'the server' : `“${database}”`}`
  if (kind === 'notification')
    return `notification “${name ?? ''}” of ${database === null ? 'the server' : `“${database}”`}`
  if (database === null) return name === null ? 'the server' : `“${name}”`
  if (name === null) return `“${database}”`
  return kind === 'query' ? `query ${name.split(' ')[0] ?? ''} on “${database}”` : `“${name}” of “${database}”`
}
