import { RavenError } from '../errors/errors.ts'
import { refusalOf } from '../errors/write-errors.ts'
import { admit, connectionLost, mustBeAllowed, prepared, type WriteHost, type WriteRequest } from './write.ts'

export interface TransferOptions {
  /** Cancels the transfer at any time. */
  readonly signal: AbortSignal
  /** Form with a file to send; left out: the response is the file. */
  readonly form?: FormData
  /** Progress of sending the form, or else the payload of the request: bytes sent, and their total. */
  readonly onProgress?: (sentBytes: number, totalBytes: number) => void
}

/**
 * Sends a request whose body or response is a file of any size, once. There is no time limit; the caller can cancel it.
 * Resolves when the server has accepted; the body of a received file is still to be read. Errors: `RavenError`.
 */
export async function openTransfer(
  host: WriteHost,
  request: WriteRequest,
  { signal, form, onProgress }: TransferOptions,
): Promise<Response> {
  const { env } = host
  const { path, route, right } = request
  await admit(host, request, signal)
  const init = await prepared(env, request, signal)
  mustBeAllowed(host, request)
  const sentMs = env.now()
  let failed = true
  host.onSent(route, null)
  try {
    const url = env.baseUrl + path
    const body = form ?? (onProgress === undefined ? undefined : request.payload)
    // The browser adds the content type of a form, with its boundary.
    const headers = form === undefined ? (init.headers as Record<string, string>) : { Accept: 'application/json' }
    const response =
      body === undefined
        ? await env.fetch(url, init)
        : await env.upload(url, body, {
            method: request.method === 'PUT' ? 'PUT' : 'POST',
            headers,
            signal,
            onProgress: onProgress ?? (() => undefined),
          })
    if (!response.ok) throw refusalOf(path, response, await response.text(), right, request.method)
    failed = false
    return response
  } catch (thrown) {
    if (thrown instanceof RavenError) throw thrown
    if (signal.aborted) throw new RavenError({ kind: 'refused', endpoint: path, message: 'It was cancelled.' })
    throw connectionLost(path, thrown)
  } finally {
    host.onEnded(route, env.now() - sentMs, failed)
  }
}
