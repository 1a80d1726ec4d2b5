import { asObject, asString, type JsonObject } from '../../base/json/check.ts'
import type { LaterPart } from '../../capture/worker/feed.ts'
import type { ParamsOf } from '../../capture/client/requests/requests.ts'
import type { Handlers } from '../../capture/worker/handlers.ts'
import type { Governor } from '../../ravendb/governor/governor.ts'
import { asRavenError, RavenError } from '../../ravendb/errors/errors.ts'
import { absenceOf } from '../../ravendb/governor/or-missing.ts'
import { isOutcomeUnknown, notSent } from '../../ravendb/http/write.ts'
import { readOperationChanged } from '../../ravendb/operations-wire.ts'
import type { Access } from '../access.ts'
import type { ActionRequests, SendOutcome } from '../contract.ts'
import type { Figure } from '../figures.ts'
import type { Action, ActionCall, CheckContext, CheckResult, OperationMark } from '../model.ts'
import { markOperations } from '../rows/lost-operation.ts'
import { readBackups } from './backups.ts'
import { freshly, readFolders, refusalBeforehand } from './beforehand.ts'
import { readDefinition } from './index-definition.ts'
import { IndexCounts } from './index-counts.ts'
import { readIndexList } from './index-list.ts'
import { Transfers } from './transfers.ts'
import { actionById } from '../table.ts'
import { writeRequestOf } from '../write-request.ts'

/** Maximum size of a kept response, in characters of JSON: actions return an id or two. */
const MOST_RESPONSE = 4000

/** Data from the server's own notifications. */
export interface ActionsSource {
  /** Ids; null: currently not received. */
  readonly serverAlerts: () => ReadonlySet<string> | null
  /** Newest frame of each operation of the server. */
  readonly operationFrames: () => readonly JsonObject[]
}

const SILENT: ActionsSource = { serverAlerts: () => null, operationFrames: () => [] }

/** Handles requests about actions: each action is sent once, through the governor, and its state is read on request. */
export function actionResponses(source: ActionsSource = SILENT): LaterPart {
  const transfers = new Transfers()
  const counts = new IndexCounts()
  return {
    responses: {
      'actions.viewOnly': async ({ isOn }, governor) => {
        governor.setViewOnly(isOn)
        // The stand-alone server reports view-only in every response, and this page may not have had one yet. If this
        // request fails, any later response reports it.
        await governor.json('buildVersion', {}, { isFresh: true }).catch(() => undefined)
        return { isOn: governor.isViewOnly, isForced: governor.isViewOnlyForced }
      },
      'actions.access': (_, governor, signal) => readAccess(governor, signal),
      'actions.certificate': async (_, governor, signal) =>
        certificateOf(await governor.json('whoami', {}, { signal, isFresh: true })),
      'actions.indexes': async (params, governor, signal) => {
        const list = await readIndexList(governor, params, signal)
        if (params.onlyKnown === true || !list.loaded) return list
        const hasChanged = await counts.compare(governor, params.database, list.indexes.length, signal)
        return hasChanged ? readIndexList(governor, params, signal) : list
      },
      'actions.indexDefinition': ({ database, index }, governor, signal) =>
        readDefinition(governor, database, index, signal),
      'actions.send': async (sent, governor) => missingOr(await send(sent, transfers, governor), sent.call, governor),
      'actions.refusal': ({ calls }, governor, signal) => refusalOfAll(calls, governor, signal),
      'actions.check': ({ before = null, ...requested }, governor, signal) =>
        check({ ...requested, before }, { transfers, source }, governor, signal),
      'actions.markOperations': ({ call }, governor, signal) => markOf(call, source, governor, signal),
      'actions.measure': ({ call, tookMs }, governor, signal) => measure(call, tookMs, governor, signal),
      'actions.nextBytes': ({ requestId }) => transfers.next(requestId),
      'actions.saved': ({ requestId, error, isDownload = false }) => transfers.end(requestId, error, isDownload),
      'actions.sentBytes': ({ requestId }) => transfers.sendingOf(requestId),
      'actions.folders': ({ database, folder }, governor) => readFolders(governor, folder, database),
      'actions.backups': ({ folder }, governor) => readBackups(governor, folder),
    } satisfies Handlers<keyof ActionRequests>,
  }
}

async function refusalOfAll(
  calls: readonly ActionCall[],
  governor: Governor,
  signal: AbortSignal,
): Promise<string | null> {
  for (const call of calls) {
    const refusal = await refusalBeforehand(known(call), call, governor, signal)
    if (refusal !== null) return refusal
  }
  return null
}

function known({ action: id }: ActionCall): Action {
  const action = actionById(id)
  if (action === null)
    throw new RavenError({
      kind: 'bad-request',
      endpoint: id,
      message: 'This version of Rookery does not know the action.',
      hint: 'Reload the page.',
    })
  return action
}

async function send(
  { call, requestId, file, payload }: ParamsOf<'actions.send'>,
  transfers: Transfers,
  governor: Governor,
): Promise<SendOutcome> {
  const action = known(call)
  let request
  try {
    request = writeRequestOf(action, call, await governor.version(), requestId, payload)
    const refusal = await refusalBeforehand(action, call, governor)
    if (refusal !== null)
      throw new RavenError({ kind: 'bad-request', endpoint: request.path, message: refusal, hint: '' })
  } catch (thrown) {
    return { outcome: 'refused', error: notSent(thrown, call.action).toInfo() }
  }
  if (action.transfer !== undefined)
    return transfers.begin(action, { call, request, id: requestId, file: file ?? null }, governor)
  try {
    if (action.isUpload === true)
      return { outcome: 'accepted', response: await transfers.send(request, requestId, governor) }
    const { body } = await governor.write(request)
    return { outcome: 'accepted', response: body === null || JSON.stringify(body).length > MOST_RESPONSE ? true : body }
  } catch (thrown) {
    const error = asRavenError(thrown, request.path).toInfo()
    return { outcome: isOutcomeUnknown(thrown, request.path) ? 'unknown' : 'refused', error }
  }
}

/** A database that does not exist is not loaded either, which must not lead to a load. */
async function missingOr(outcome: SendOutcome, { target }: ActionCall, governor: Governor): Promise<SendOutcome> {
  const { database } = target
  if (outcome.outcome !== 'refused' || outcome.error.kind !== 'database-unloaded' || database === null) return outcome
  const message = await absenceOf(governor, database, new AbortController().signal)
  if (message === null) return outcome
  const { endpoint } = outcome.error
  return { outcome: 'refused', error: new RavenError({ kind: 'database-missing', endpoint, message }).toInfo() }
}

async function measure(
  call: ActionCall,
  tookMs: number | null,
  governor: Governor,
  signal: AbortSignal,
): Promise<readonly Figure[] | null> {
  const { measure: how } = known(call)
  if (how === undefined || !('read' in how)) return null
  try {
    return await how.read({ call, tookMs, read: freshly(governor, signal) })
  } catch {
    return null
  }
}

const serverOperationsOf =
  ({ operationFrames }: ActionsSource): CheckContext['serverOperations'] =>
  () =>
    operationFrames().map(readOperationChanged)

async function markOf(
  call: ActionCall,
  source: ActionsSource,
  governor: Governor,
  signal: AbortSignal,
): Promise<OperationMark | null> {
  const { operation } = known(call)
  if (operation === undefined) return null
  const version = await governor.version(signal)
  const context = { call, version, read: freshly(governor, signal), serverOperations: serverOperationsOf(source) }
  return markOperations(context, operation)
}

async function check(
  requested: Pick<CheckContext, 'call' | 'accepted' | 'startedMs' | 'before' | 'mark' | 'made'>,
  { transfers, source }: { readonly transfers: Transfers; readonly source: ActionsSource },
  governor: Governor,
  signal: AbortSignal,
): Promise<CheckResult> {
  const { call } = requested
  const action = known(call)
  try {
    const version = await governor.version(signal)
    return await action.check({
      ...requested,
      version,
      nowMs: governor.env.now(),
      serverAlerts: source.serverAlerts(),
      serverOperations: serverOperationsOf(source),
      read: freshly(governor, signal),
      transferOf: (operationId) => transfers.stateOf(call.target.database, operationId),
    })
  } catch (thrown) {
    const { message, serverMessage } = asRavenError(thrown, call.action)
    return { state: 'unknown', text: `The state could not be read: ${serverMessage ?? message}` }
  }
}

async function readAccess(governor: Governor, signal: AbortSignal): Promise<Access> {
  // A part that is not known is null: nothing is then refused beforehand, but by the server.
  const part = (key: 'whoami' | 'licenseStatus' | 'serverId'): Promise<unknown> =>
    governor.json(key, {}, { signal }).catch(() => null)
  const [version, whoami, licence, id] = await Promise.all([
    governor.version(signal),
    part('whoami'),
    part('licenseStatus'),
    part('serverId'),
  ])
  return { version, certificate: certificateOf(whoami), licence: flagsOf(licence), serverId: idOf(id) }
}

function certificateOf(response: unknown): Access['certificate'] {
  if (response === null) return null
  const body = asObject(response, '$')
  const permissions = Object.entries(asObject(body['Permissions'] ?? {}, '$.Permissions'))
  return {
    clearance: asString(body['SecurityClearance'], '$.SecurityClearance'),
    permissions: Object.fromEntries(
      permissions.map(([name, access]) => [name.toLowerCase(), asString(access, '$.Permissions')]),
    ),
  }
}

function flagsOf(response: unknown): Access['licence'] {
  if (typeof response !== 'object' || response === null) return null
  const flags = Object.entries(response).filter((pair): pair is [string, boolean] => typeof pair[1] === 'boolean')
  return Object.fromEntries(flags)
}

const idOf = (response: unknown): string | null =>
  typeof response === 'object' && response !== null && 'ServerId' in response && typeof response.ServerId === 'string'
    ? response.ServerId
    : null
