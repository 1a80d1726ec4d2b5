import type { QueryClient } from '@tanstack/react-query'
import type { CaptureClient } from '../../../client/client.ts'
import type { SourceId } from '../../../client/state.ts'

/** Another server than the page's own, behind the same stand-alone server. */
export interface OtherServer {
  /** Name as in its path: `db2.example:8080`. */
  readonly name: string
  /** Why its lanes cannot be shown now; null: they can. */
  readonly refusal: string | null
}

/** Requirements of a lane on the capture of its server. */
export interface LaneWants {
  readonly sources: readonly SourceId[]
  /** Feed of the lane, while the user is attentive; null: the user does not see one. */
  readonly front: string | null
}

/** A share in the capture of another server. The capture ends some time after the last share is released. */
export interface ServerShare {
  readonly capture: CaptureClient
  /** Cache of the server's responses, separate because the same request to two servers has two responses. */
  readonly queries: QueryClient
  readonly want: (wants: LaneWants) => void
  readonly close: () => void
}

export interface OtherServers {
  /** Name of the page's own server; null: it is the only one. */
  readonly own: string | null
  /** The other servers; empty if there is only one. Errors: `CaptureError`. */
  readonly list: (request: CaptureClient['request'], signal: AbortSignal) => Promise<readonly OtherServer[]>
  /** Errors: the reason why the browser starts no worker. */
  readonly share: (name: string) => ServerShare
  /** Address of a server's studio with this hash. */
  readonly hrefOf: (name: string, hash: string) => string
}
