import type {
  IoDistributionParams,
  IoDistributionResponse,
  IoHeatParams,
  IoHeatResponse,
  IoThroughputParams,
  IoThroughputResponse,
} from './contract/density.ts'
import type { IoExportCount, IoExportId, IoExportParams } from './contract/exports.ts'
import type { IndexStorageParams, IndexStorageResponse } from './contract/index-storage.ts'
import type { IoLanesParams, IoLanesResponse, LaneId } from './contract/lanes.ts'
import type {
  IoIdleParams,
  IoIdleResponse,
  IoMarksParams,
  IoMarksResponse,
  IoOverviewParams,
  IoOverviewResponse,
} from './contract/marks.ts'
import type { IoCard, IoCardParams, IoEventRow, IoRowsParams, IoRowsResponse } from './contract/rows.ts'
import type { IoOfDurationParams, IoSummaryParams, IoSummaryResponse } from './contract/summary.ts'

// Types that other features import.
export type { IoColumns, IoColumnsParams, IoLaneColumns } from './contract/columns.ts'
export type { IndexStorageKind } from './contract/index-storage.ts'
export type { IoLane, LaneId } from './contract/lanes.ts'
export type { IoEventRef } from './contract/rows.ts'

/** Requests that the first picture does not need; their handlers are loaded later. */
export interface IoLaterRequests {
  'io.ofDuration': { params: IoOfDurationParams; response: IoEventRow | null }
  'io.heat': { params: IoHeatParams; response: IoHeatResponse }
  'io.throughput': { params: IoThroughputParams; response: IoThroughputResponse }
  'io.distribution': { params: IoDistributionParams; response: IoDistributionResponse }
  'io.exportCount': { params: IoExportParams; response: IoExportCount }
  'io.rows': { params: IoRowsParams; response: IoRowsResponse }
  'io.card': { params: IoCardParams; response: IoCard | null }
  'io.ofIndex': { params: IndexStorageParams; response: IndexStorageResponse }
}

/** Requests about I/O. */
export interface IoRequests extends IoLaterRequests {
  'io.lanes': { params: IoLanesParams; response: IoLanesResponse }
  /** Page on which a lane is; null: on no page. */
  'io.pageOf': { params: Pick<IoLanesParams, 'sources' | 'find'> & { readonly lane: LaneId }; response: number | null }
  'io.marks': { params: IoMarksParams; response: IoMarksResponse }
  'io.overview': { params: IoOverviewParams; response: IoOverviewResponse }
  'io.summary': { params: IoSummaryParams; response: IoSummaryResponse }
  'io.idle': { params: IoIdleParams; response: IoIdleResponse }
}

type IoExports = Readonly<Record<IoExportId, IoExportParams>>

declare module '../../capture/exporting/exporter.ts' {
  interface WorkerExports extends IoExports {}
}

declare module '../../capture/client/requests/requests.ts' {
  interface WorkerRequests extends IoRequests {}
}
