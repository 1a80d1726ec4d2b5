import type { QueryClient } from '@tanstack/react-query'
import type { CaptureClient } from '../../../client/client.ts'
import type { SourceId } from '../../../client/state.ts'

/** A server beside that of the page, behind the same stand-alone server. */
export interface OtherServer {
  /** As in its path: `db2.example:8080`. */
  readonly name: string
  /** Why none of its lanes can be shown now; null: it answers. */
  readonly refusal: string | null
}

/** Demands of a lane on the capture of its server. */
export interface LaneWants {
  readonly sources: readonly SourceId[]
  /** Feed of the lane, while the user is attentive; null: none is in front of the user. */
  readonly front: string | null
}

/** A share in the capture of another server, which ends some time after the last share was given back. */
export interface ServerShare {
  readonly capture: CaptureClient
  /** Responses of the server: the same request to two servers has two. */
  readonly queries: QueryClient
  readonly want: (wants: LaneWants) => void
  readonly close: () => void
}

export interface OtherServers {
  /** Name of the server of this page; null: it is the only one. */
  readonly own: string | null
  /** The others; none where the server of this page is the only one. Errors: `CaptureError`. */
  readonly list: (request: CaptureClient['request'], signal: AbortSignal) => Promise<readonly OtherServer[]>
  /** Errors: why the browser starts no worker. */
  readonly share: (name: string) => ServerShare
  /** Address of the studio of a server with this hash. */
  readonly hrefOf: (name: string, hash: string) => string
}
