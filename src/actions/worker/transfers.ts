import { concatBytes } from '../../base/concat-bytes.ts'
import { asNumber, asObject } from '../../base/json/check.ts'
import type { Governor } from '../../ravendb/governor/governor.ts'
import { asRavenError, RavenError } from '../../ravendb/errors/errors.ts'
// Loads it before a server goes away with it.
import '../../ravendb/http/transfer.ts'
import { isOutcomeUnknown, type WriteRequest } from '../../ravendb/http/write.ts'
import type { SendOutcome } from '../contract.ts'
import { CANCELLED, type Action, type ActionCall, type TransferState } from '../model.ts'

/** Maximum size to which small pieces are joined for the page; larger ones are passed on as they are. */
const PIECE_BYTES = 1024 * 1024
/** Time limit for ending an operation, ms; it took milliseconds. */
const KILL_MS = 15_000
/** Maximum number of ended transfers, the oldest are removed; their state has been read by then. */
const MOST_KEPT = 20

interface Transfer extends TransferState {
  readonly abort: AbortController
  reader: ReadableStreamDefaultReader<Uint8Array> | null
  /** Ends the operation of a file that is sent, or the server would continue. Null: the file is received. */
  readonly kill: (() => Promise<unknown>) | null
  bytes: number
  totalBytes: number | null
  state: TransferState['state']
  error: string | null
  isCut?: boolean
  isDownload?: boolean
}

const keyOf = (database: string | null, operationId: number): string => `${operationId} ${database ?? ''}`

/**
 * Files in transfer between the server and the disk of this browser. The page pulls a received file piece by piece and
 * writes it to the disk, so that only one piece is in memory. Transfers end with the worker.
 */
export class Transfers {
  /** Transfers by id of the click. */
  readonly #byId = new Map<string, Transfer>()
  readonly #byOperation = new Map<string, Transfer>()

  /** `file`: the file to send; null if it is received, or its page is gone. */
  async begin(
    action: Action,
    { call, request, id, file }: { call: ActionCall; request: WriteRequest; id: string; file: File | null },
    governor: Governor,
  ): Promise<SendOutcome> {
    const database = call.target.database ?? ''
    try {
      if (action.transfer === 'upload' && file === null)
        return refused(request, 'The file is no longer available.', 'Choose it again.')
      const operationId = await this.#nextId(governor, database, request.mayLoad === true && !governor.isViewOnly)
      const abort = new AbortController()
      // The request of the number has loaded the database if that was necessary.
      const numbered = {
        ...request,
        path: `${request.path}${request.path.includes('?') ? '&' : '?'}operationId=${operationId}`,
        mayLoad: false,
      }
      const transfer: Transfer = {
        abort,
        reader: null,
        kill: file === null ? null : () => governor.write(killOf(database, operationId)),
        bytes: 0,
        totalBytes: file?.size ?? null,
        state: 'running',
        error: null,
      }
      if (file === null) {
        const response = await governor.transfer(numbered, { signal: abort.signal })
        transfer.reader = response.body?.getReader() ?? null
      } else this.#upload(transfer, numbered, { file, optionsPart: action.optionsPart ?? 'importOptions' }, governor)
      this.#keep(id, keyOf(database, operationId), transfer)
      return { outcome: 'accepted', response: { OperationId: operationId } }
    } catch (thrown) {
      return { outcome: 'refused', error: asRavenError(thrown, request.path).toInfo() }
    }
  }

  /**
   * Sends the payload of a request. Resolves when the server has accepted it. Errors: `RavenError`; after a cancellation,
   * whether the server has received all of it is not known.
   */
  async send(request: WriteRequest, id: string, governor: Governor): Promise<true> {
    const transfer: Transfer = {
      abort: new AbortController(),
      reader: null,
      kill: null,
      bytes: 0,
      totalBytes: request.payload?.size ?? null,
      state: 'running',
      error: null,
    }
    this.#byId.set(id, transfer)
    try {
      await governor.transfer(request, { signal: transfer.abort.signal, onProgress: progressOf(transfer) })
      return true
    } catch (thrown) {
      if (!transfer.abort.signal.aborted) throw thrown
      throw new RavenError({ kind: 'network', endpoint: request.path, message: CANCELLED, hint: '', cause: thrown })
    } finally {
      this.#byId.delete(id)
    }
  }

  /** Upload without a response yet; null: none. */
  sendingOf(id: string): TransferState | null {
    const transfer = this.#byId.get(id)
    if (transfer === undefined) return null
    const { bytes, totalBytes, state, error } = transfer
    return { bytes, totalBytes, state, error }
  }

  /** Next bytes of a received file; empty and `last` at its end. Errors: the reason why it ended early. */
  async next(id: string): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly last: boolean }> {
    const transfer = this.#byId.get(id)
    if (transfer?.reader == null) throw new Error('This file does not come any more.')
    const parts: Uint8Array[] = []
    let size = 0
    let last = false
    try {
      while (size < PIECE_BYTES && !last) {
        const { value, done } = await transfer.reader.read()
        last = done
        if (value !== undefined) {
          parts.push(value)
          size += value.length
        }
      }
    } catch (thrown) {
      const error = transfer.error ?? 'The connection was lost.'
      this.#fail(transfer, error)
      throw new Error(error, { cause: thrown })
    }
    transfer.bytes += size
    return { bytes: concatBytes(parts), last }
  }

  /** The page has saved the file (`error` null), has failed, or the user cancelled; closes the connection. */
  end(id: string, error: string | null, isDownload: boolean): null {
    const transfer = this.#byId.get(id)
    if (transfer?.state !== 'running') return null
    if (error === null) {
      transfer.state = 'complete'
      transfer.isDownload = isDownload
    } else {
      this.#fail(transfer, error)
      transfer.abort.abort()
      // Whether the operation was ended is read from its state.
      transfer.kill?.().catch(() => undefined)
    }
    return null
  }

  /** Transfer of an operation; null: none, or it ended with its worker. */
  stateOf(database: string | null, operationId: number): TransferState | null {
    return this.#byOperation.get(keyOf(database, operationId)) ?? null
  }

  /** Sends the first request to the database. `allowLoad`: the user was warned that this loads it. */
  async #nextId(governor: Governor, database: string, allowLoad: boolean): Promise<number> {
    const options = { isFresh: true, isOnce: true, allowLoad }
    const response = asObject(await governor.json('nextOperationId', { database }, options), '$')
    return asNumber(response['Id'], '$.Id')
  }

  #upload(
    transfer: Transfer,
    request: WriteRequest,
    { file, optionsPart }: { readonly file: File; readonly optionsPart: string },
    governor: Governor,
  ): void {
    const form = new FormData()
    // The server reads the parts in this order.
    form.append(optionsPart, JSON.stringify(request.body))
    form.append('file', file)
    governor.transfer(request, { signal: transfer.abort.signal, form, onProgress: progressOf(transfer) }).then(
      () => {
        transfer.state = 'complete'
      },
      (thrown: unknown) => {
        const { serverMessage, message } = asRavenError(thrown, request.path)
        this.#fail(transfer, serverMessage ?? message)
        transfer.isCut = isOutcomeUnknown(thrown, request.path)
      },
    )
  }

  /** Records the first reason; later ones are ignored. */
  #fail(transfer: Transfer, error: string): void {
    if (transfer.state === 'failed') return
    transfer.state = 'failed'
    transfer.error = error
  }

  #keep(id: string, operation: string, transfer: Transfer): void {
    this.#byId.set(id, transfer)
    this.#byOperation.set(operation, transfer)
    for (const all of [this.#byId, this.#byOperation])
      for (const [key, { state }] of all) {
        if (all.size <= MOST_KEPT) break
        if (state !== 'running') all.delete(key)
      }
  }
}

const progressOf =
  (transfer: Transfer) =>
  (sentBytes: number, totalBytes: number): void => {
    transfer.bytes = sentBytes
    transfer.totalBytes = totalBytes
  }

const killOf = (database: string, operationId: number): WriteRequest => ({
  method: 'POST',
  path: `/databases/${encodeURIComponent(database)}/operations/kill?id=${operationId}`,
  route: '/databases/{database}/operations/kill',
  body: null,
  right: 'DatabaseWrite',
  database,
  timeoutMs: KILL_MS,
})

const refused = ({ path }: WriteRequest, message: string, hint: string): SendOutcome => ({
  outcome: 'refused',
  error: { endpoint: path, status: null, message, serverMessage: null, hint },
})
