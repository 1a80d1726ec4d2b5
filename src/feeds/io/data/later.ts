import type { LaterPart } from '../../../capture/worker/feed.ts'
import type { Handlers } from '../../../capture/worker/handlers.ts'
import type { IoDetailRequests } from '../contract/details.ts'
import type { IoLaterRequests } from '../contract.ts'
import { commitsResponse } from './commits/response.ts'
import { countExport, ioExporters } from './exports/exporters.ts'
import { cardResponse } from './responses/card.ts'
import { distributionResponse } from './responses/charts/distribution.ts'
import { heatResponse } from './responses/charts/heat.ts'
import { journalsResponse } from './responses/charts/journals.ts'
import type { LaneNames } from './responses/lane-names.ts'
import { ofDurationResponse } from './responses/of-duration.ts'
import { ofIndexResponse } from './responses/of-index.ts'
import { RowsResponder } from './responses/rows.ts'
import { sizesResponse } from './responses/charts/sizes.ts'
import { throughputResponse } from './responses/charts/throughput.ts'
import type { IoStore } from './table.ts'

/**
 * Handlers that the first picture does not need. They share one file because a request for one of them is soon followed
 * by others.
 */
export function ioLater(store: IoStore, names: LaneNames): LaterPart {
  const rows = new RowsResponder()
  return {
    responses: {
      'io.rows': (params, _governor, signal) => rows.response(store, names, params, signal),
      'io.card': (params) => cardResponse(store, names, params),
      'io.ofIndex': (params, _governor, signal) => ofIndexResponse(store, names, params, signal),
      'io.exportCount': (params) => countExport(store, names, params),
      'io.heat': (params, _governor, signal) => heatResponse(store, params, signal),
      'io.throughput': (params, _governor, signal) => throughputResponse(store, names, params, signal),
      'io.journals': (params, _governor, signal) => journalsResponse(store, params, signal),
      'io.commits': (params, governor, signal) => commitsResponse(store, params, governor, signal),
      'io.sizes': (params, _governor, signal) => sizesResponse(store, names, params, signal),
      'io.distribution': (params, _governor, signal) => distributionResponse(store, names, params, signal),
      'io.ofDuration': (params, _governor, signal) => ofDurationResponse(store, names, params, signal),
    } satisfies Handlers<keyof IoLaterRequests | keyof IoDetailRequests>,
    exporters: ioExporters(store, names),
  }
}
