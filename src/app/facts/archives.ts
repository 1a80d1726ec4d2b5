import { RecordedServers } from '../../features/archive/data/recorded-servers.ts'
import { seriesInfo } from '../../features/server/data/series.ts'

export const createArchives = (): RecordedServers => new RecordedServers(seriesInfo)
