// @ts-check
/** Recordings of many servers in a ClickHouse database. A page opens one of them at a time. */
import { Plain } from '../say.mjs'

/**
 * @param {ReturnType<typeof import('./clickhouse-address.mjs').clickHouseAddress>} address
 * @param {Pick<typeof import('../../src/recorder/main.ts'), 'ClickHouse' | 'FleetReader'>} recorder
 * @returns {Promise<import('./page-server.mjs').Opened>}
 * @throws {Plain} when there is no recording that can be read
 */
export async function openedFleet(address, { ClickHouse, FleetReader }) {
  const reader = new FleetReader(new ClickHouse(address))
  await reader.check().catch((error) => {
    throw error instanceof Error && error.name === 'ClickHouseError' ? new Plain(error.message) : error
  })
  return {
    list: async (query, signal) => {
      const node = query.get('node')
      if (node === null) return { fleet: reader.name }
      const manifest = await reader.manifest(node, { signal })
      return manifest === null ? undefined : { name: node, manifest, journals: [], journalHours: [] }
    },
    send: async (path, response, signal) => {
      const bytes = await reader.file(decoded(path), { signal })
      if (bytes === undefined) return false
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytes.length })
      response.end(bytes)
      return true
    },
    servers: async (query, signal) => {
      const startTicks = Number(query.get('from') ?? Number.NaN)
      const endTicks = Number(query.get('to') ?? Number.NaN)
      if (!Number.isSafeInteger(startTicks) || !Number.isSafeInteger(endTicks)) return undefined
      return reader.servers({ startTicks, endTicks }, { signal })
    },
  }
}

/** @param {string} path */
function decoded(path) {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}
