import { formatPlural } from '../base/text/format.ts'
import type { Figure, Figures } from './figures.ts'
import type { Ticks } from '../base/ticks.ts'
import type { EndpointKey, Params } from '../ravendb/endpoints.ts'
import type { Right } from '../ravendb/errors/error-texts.ts'
import type { WriteRequest } from '../ravendb/http/write.ts'
import type { Operation, OperationState } from '../ravendb/operations-wire.ts'
import type { ServerVersion, Since } from '../ravendb/versions.ts'

export type TargetKind =
  'server' | 'node' | 'database' | 'document' | 'index' | 'query' | 'operation' | 'notification' | 'environment'

/** Target of an action. Can be stored and sent between threads. */
export interface ActionTarget {
  readonly kind: TargetKind
  /** Database of the target; null: the server. */
  readonly database: string | null
  /** Name of the index, environment or query, or id of the object; null: the database or server itself. */
  readonly name: string | null
}

/**
 * Facts about the target when the action is offered, for figures in the consequence and for showing later what changed.
 * Left out: not known, which must not be shown as 0.
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
  /** Number of stored errors. */
  readonly errors?: number
  /** Documents that an index covers. */
  readonly documents?: number
  /** Documents per second that an index processed last. */
  readonly perSecond?: number
  readonly sizeBytes?: number
  /** Whether a side-by-side replacement of the index is being built. */
  readonly hasReplacement?: boolean
  /** Progress of the replacement, 0 to 1. */
  readonly replacementDone?: number
  /** Number of replacements that are being built in the index's database. */
  readonly rebuilding?: number
  readonly createdAt?: string
  /** Free space on the fullest volume with files of the database. */
  readonly volumeFreeBytes?: number
  /** Time of the last backup of a database; null: none is known to the server. */
  readonly lastBackupTicks?: Ticks | null
  /** Whether a notification belongs to the server itself. */
  readonly isOfServer?: boolean
  /** Change vector of a document in the list. */
  readonly changeVector?: string
  /** Kind of an operation, such as `Patch by query`. */
  readonly task?: string
  /** Progress of an operation: items done, and their total. */
  readonly processed?: number
  readonly total?: number
}

/** An action with its target and inputs, as it is chosen, stored, sent and checked. */
export interface ActionCall {
  /** Id of the action. */
  readonly action: string
  readonly target: ActionTarget
  /** Values that the user chose, by the name of the field; empty if there are none. */
  readonly inputs: Readonly<Record<string, string>>
  readonly facts: ActionFacts
}

/** Request of an action, without the parts that all actions share. */
export interface ActionRequest {
  readonly method: WriteRequest['method']
  /** Segments of the path, not encoded. */
  readonly path: readonly string[]
  readonly query?: Readonly<Record<string, string>>
  /** Body of the request; null or left out: none. */
  readonly body?: unknown
  /** As in `WriteRequest`. */
  readonly ifMatch?: string
  /** Whether it is a cluster command, which takes an id by which the server recognises a repetition. */
  readonly isRaft?: boolean
  /** Time limit of the request, ms; 60 s by default. */
  readonly timeoutMs?: number
  /** Whether it may load a database that was not loaded when the action was chosen; the consequence says so. */
  readonly mayLoad?: boolean
  /** Sent only if the database is unloaded: it would end the work of a loaded one. */
  readonly onlyUnloaded?: boolean
}

/** Result of a check of the server's state. */
export interface CheckResult {
  /**
   * `done`: the server is in the intended state. `running`: in progress. `unchanged`: not (yet) in that state. `gone`:
   * the target no longer exists, so the state cannot be reached. `failed`: it ended in another way. `unknown`: the
   * state cannot be read, or shows nothing.
   */
  readonly state: 'done' | 'running' | 'unchanged' | 'gone' | 'failed' | 'unknown'
  /** Sentence about the result. */
  readonly text: string
  /** Progress of a running action, 0 to 1; left out: not known. */
  readonly progress?: number
  /** Ends the checks. `unknown`: nothing more will become known. `unchanged`: nothing more will change. */
  readonly isLast?: boolean
  /** Replaces a lost response, once it was found. */
  readonly accepted?: unknown
  /** The server's own text, if the sentence is another one. */
  readonly detail?: string
  /** Identity of what the action created, as first seen, such as the creation time of a replacement. */
  readonly made?: string
}

/** A file in transfer between the server and this computer. */
export interface TransferState {
  /** `complete`: the whole file has arrived. */
  readonly state: 'running' | 'complete' | 'failed'
  readonly bytes: number
  /** Size of the file; null: not known. */
  readonly totalBytes: number | null
  /** Why it failed, in words. */
  readonly error: string | null
  /** Whether it failed because the connection was lost: the server may have received all of it. */
  readonly isCut?: boolean
  /** Whether it went to the browser's downloads, which do not report whether it was saved. */
  readonly isDownload?: boolean
}

/** `error` of a file that the user cancelled. */
export const CANCELLED = 'It was cancelled.'

export interface CheckContext {
  readonly call: ActionCall
  /** The server's response when it accepted, `true` for an empty body; null: not known. */
  readonly accepted: unknown
  /** Mark of the operations before it; left out: not read. */
  readonly mark?: OperationMark
  /** Identity seen by an earlier check; left out: none. */
  readonly made?: string
  /** Operations of the server itself, from its latest notifications. */
  readonly serverOperations: () => readonly Operation[]
  /** Figures before it; null: none, or not readable. */
  readonly before: Figures['before']
  /** When it was started or retried, wall clock, ms, before its request was sent. */
  readonly startedMs: number
  /** Wall clock before anything is read, ms. */
  readonly nowMs: number
  readonly version: ServerVersion
  /** Ids of the server's own notifications, from its socket; null: the socket is not open. */
  readonly serverAlerts: ReadonlySet<string> | null
  /** Sends a read-only request after the action; loads nothing. Errors: `RavenError`. */
  readonly read: (key: EndpointKey, params: Params) => Promise<unknown>
  /** File of an operation of the target's database; null: none, or its page is gone. */
  readonly transferOf: (operationId: number) => TransferState | null
}

/** Reads that are made right before each request. They load nothing. Errors: `RavenError`. */
export interface Beforehand extends Pick<CheckContext, 'call' | 'version' | 'read'> {
  /** Full paths of the folders in a folder of this node. */
  readonly folders: (folder: string) => Promise<readonly string[]>
  /** Full paths of the backup files in a folder of this node and below it. */
  readonly backups: (folder: string) => Promise<readonly string[]>
  /** Waits, ms. */
  readonly wait: (ms: number) => Promise<void>
}

/** Recording around an action to show its effect: batches of its index, figures of the server, or I/O. */
export type Recorded =
  /** `rebuild`: the index is built again, as itself or beside it as a replacement. */
  | { readonly kind: 'index-batches'; readonly rebuild?: 'itself' | 'beside' }
  | { readonly kind: 'server'; readonly key: 'cpu.process'; readonly label: string }
  | { readonly kind: 'io'; readonly ioKind: 'DataFlush' | 'DataSync' }

export interface MeasureContext extends Pick<CheckContext, 'call' | 'read'> {
  /** Duration of the action, ms; null: it has not begun. */
  readonly tookMs: number | null
}

/** How the figures that an action is to change are read: by requests before and after, or from its response. */
export type Measure = { readonly what: string } & (
  | { readonly read: (context: MeasureContext) => Promise<readonly Figure[]> }
  /** Figures from the response; null: the response was lost. */
  | { readonly answered: (accepted: unknown) => Figures | null }
)

/** State of the operations before an action begins one, to recognise those that begin later. */
export interface OperationMark {
  /** Server time when the newest of this kind and target began; null: there was none. */
  readonly newestTicks: Ticks | null
  /** For operations of the server itself; null: the database lists the operation, or this could not be read. */
  readonly ofServer: {
    /** Operation number that the reading consumed: server operations that begin later have larger numbers. */
    readonly number: number
    /** Start time of the server, as reported: numbers restart with the server. */
    readonly startedAt: string
  } | null
  /** Server time of the newest alert about a failure; null: none. Left out: not read. */
  readonly failedTicks?: Ticks | null
}

/** A long operation that an action begins on the server. Operations of the server itself are in no list. */
export type BegunOperation = BegunOfDatabase | BegunOfServer

interface BegunOfServer extends Omit<BegunOfDatabase, 'of' | 'failedAlert'> {
  readonly of: 'server'
  /** Whether a state belongs to this operation, by what it reports about itself; null: it does not say (yet). */
  readonly isIt: (state: OperationState, call: ActionCall) => boolean | null
}

export interface BegunOfDatabase {
  readonly of: 'database'
  /** The server's name for its kind, such as `DatabaseCompact`. */
  readonly task: string
  /** Advice for the case that the server no longer knows the operation, in a sentence. */
  readonly afterwards?: string
  /** Sentence on the state that a stopped operation leaves; left out: nothing is said. */
  readonly leaves?: string
  /** The server's description of this operation, equal in all versions apart from the case of names. */
  readonly describe: (call: ActionCall) => string
  /** Alert by which the server reports its failure; left out: the list of operations is enough. */
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
  /** Initial value. */
  readonly initial?: string
  /** Allowed values; left out: any text. */
  readonly choices?: readonly string[]
  /** Whether it may be empty. */
  readonly optional?: boolean
  /**
   * `file`: of this computer. `backup`: of the server, with search. `folder`: of the server, with browsing. `indexes`:
   * ticked indexes of the database, as a `nameList`; not shown for several databases. Text by default.
   */
  readonly input?: 'file' | 'backup' | 'folder' | 'indexes'
}

/** State after a failure, as another client saw it after provoked failures on 7.1.5, 6.2.4 and 5.4.207. */
export interface OnFailure {
  /** A sentence or two. */
  readonly leaves: string
  /** Data that a failure can lose, for the dialog; null or left out: none. */
  readonly loses?: (version: ServerVersion) => string | null
}

/** For actions that were only seen to fail by refusal of a wrong name or value. */
export const AS_IT_WAS: OnFailure = { leaves: 'Everything as it was.' }

/**
 * Something that changes the server, as data: a row of the table (`table.ts`). Menus, dialog, request, activity,
 * markers and documentation are made from it.
 */
export interface Action {
  /** `‹target›.‹verb›`. Stored by browsers, so it must not change. */
  readonly id: string
  readonly target: TargetKind
  /** Text of the button. */
  readonly title: string
  /** Words for the completed action in a marker and the activity, without the target. */
  readonly done: string
  readonly right: Right
  /** Required right if the target belongs to the server itself, not to a database; left out: the same. */
  readonly serverRight?: Right
  /** First version line that has it. */
  readonly since?: Since
  /** Flag of `/license/status` without which the server refuses. The action is then shown with this reason. */
  readonly licence?: string
  readonly confirm: 'none' | 'confirm' | 'type-name'
  /** Text of the button that closes the dialog without a change; left out: Cancel. */
  readonly dismiss?: string
  /** Whether more can be lost in this case than usual, or that is not known: then it needs a confirmation as well. */
  readonly confirmsAt?: (facts: ActionFacts, version: ServerVersion) => boolean
  /** Database that the action creates: the field with its name, and a title with the name. */
  readonly makes?: { readonly field: string; readonly title: (name: string) => string }
  /** Menu items. */
  readonly presets?: readonly Preset[]
  /** Fields of the dialog. */
  readonly fields?: readonly ActionField[]
  /** Whether it makes sense for a target with these facts; unknown facts do not exclude it. */
  readonly applies: (facts: ActionFacts, inputs: Readonly<Record<string, string>>) => boolean
  readonly request: (call: ActionCall, version: ServerVersion) => ActionRequest
  /** Check before sending; left out: none. */
  readonly refuses?: {
    /** Completes "not sent where …" in the documentation. */
    readonly where: string
    /**
     * Why it must not be sent, in a sentence; null: it may. Read right before each request, also before a retry, and
     * while the dialog is filled in. Errors: `RavenError`; nothing is sent then.
     */
    readonly read: (before: Beforehand) => Promise<string | null>
  }
  /** Effect, in one or two sentences with the known figures. */
  readonly consequence: (call: ActionCall, version: ServerVersion) => string
  /** Data that can be lost; null: none. */
  readonly loss: (call: ActionCall, version: ServerVersion) => string | null
  readonly onFailure: OnFailure
  /** Reads the final state: an accepted action has not necessarily succeeded. */
  readonly check: (context: CheckContext) => Promise<CheckResult>
  /** How `check` works, for the documentation. */
  readonly read: string
  /**
   * Whether it is done when something no longer exists. `check` is then also read before the request: if the target is
   * already gone, nothing is sent.
   */
  readonly removes?: boolean
  /** Whether the action continues after it was accepted; `check` is then repeated until it ends. */
  readonly isLong?: boolean
  /** Time, ms, until a change may show, for actions that the server only takes note of. A few seconds by default. */
  readonly settleMs?: number
  /** Operation that the action begins, to cancel it, and to find it if the response is lost; left out: none. */
  readonly operation?: BegunOperation
  /** Action that undoes it; null: none, or the state before is not known. */
  readonly inverse?: (call: ActionCall) => Pick<ActionCall, 'action' | 'inputs'> | null
  /** Figures that the action is to change; left out together with `recorded`: nothing can be measured. */
  readonly measure?: Measure
  readonly recorded?: Recorded
  /**
   * The action transfers a file. `download`: the page saves the response. `upload`: it sends the file of the field with
   * `input: 'file'`, in a form after the body. The transfer ends with the page and is not repeated.
   */
  readonly transfer?: 'download' | 'upload'
  /** Name of the form part with the body, for an upload; `importOptions` by default. */
  readonly optionsPart?: string
  /** Name in the activity for a body that comes as a text or file, which is neither kept nor sent again. */
  readonly payload?: string
  /** The payload is a file of any size: how much of it was sent is shown, and it can be cancelled. */
  readonly isUpload?: true
  /** Reminder text for a state that ends when the target is unloaded or resumed; shown until it is undone. */
  readonly reminds?: string
}

/** Whether choosing it opens a dialog, given these facts. `version`: null if not known yet. */
export const opensDialog = (
  { confirm, fields, confirmsAt }: Action,
  facts: ActionFacts,
  version: ServerVersion | null,
): boolean =>
  confirm !== 'none' ||
  fields !== undefined ||
  (confirmsAt !== undefined && (version === null || confirmsAt(facts, version)))

/** Right that the user needs for the action on that target. */
export const rightOf = ({ right, serverRight }: Pick<Action, 'right' | 'serverRight'>, target: ActionTarget): Right =>
  target.database === null ? (serverRight ?? right) : right

export const titleOf = (action: Action, inputs: ActionCall['inputs']): string =>
  action.presets?.find((preset) => isSameInputs(preset.inputs, inputs))?.text ?? action.title

/** Name of the database that it creates; null: none, or no name yet. */
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
