import * as blocking from '@duckdb/duckdb-wasm/blocking'
import { errorText } from '../../../../base/text/error-text.ts'
import { addJournals, addParquet } from './duck-reader.ts'
import { Duck } from './duck.ts'
import { callJsonText } from './json-text.ts'
import type { DuckOrder, DuckOrders, DuckReply } from './protocol.ts'

/** The types of the package are those for Node, where this is missing. */
const { BROWSER_RUNTIME } = blocking as unknown as { readonly BROWSER_RUNTIME: blocking.DuckDBRuntime }

/** Ways to the network: after the engine is there, nothing in this worker has one. */
const NETWORK = ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'WebTransport', 'importScripts', 'Worker']

let duck: Duck | null = null

async function start({ url, module }: DuckOrders['start']['params']): Promise<WebAssembly.Module> {
  const compiled = module ?? (await compile(url))
  // The library fetches and compiles by itself: it gets what is compiled already.
  WebAssembly.instantiateStreaming = async (_, imports) => ({
    module: compiled,
    instance: await WebAssembly.instantiate(compiled, imports),
  })
  globalThis.fetch = () => Promise.resolve(new Response(new Uint8Array()))
  const file = { mainModule: url, mainWorker: '' }
  const runtime: blocking.DuckDBRuntime = { ...BROWSER_RUNTIME, callScalarUDF: callJsonText as never }
  const bindings = await blocking.createDuckDB({ mvp: file, eh: file }, new blocking.VoidLogger(), runtime)
  await bindings.instantiate(() => undefined)
  for (const name of NETWORK) Object.defineProperty(globalThis, name, { value: undefined })
  duck = new Duck(bindings)
  return compiled
}

async function compile(url: string): Promise<WebAssembly.Module> {
  const response = await fetch(url)
  if (!response.ok || response.body === null)
    throw new Error(`${url} came with status ${String(response.status)} instead of DuckDB.`)
  const unpacked = response.body.pipeThrough(new DecompressionStream('gzip'))
  return WebAssembly.compileStreaming(new Response(unpacked, { headers: { 'content-type': 'application/wasm' } }))
}

async function carryOut(order: DuckOrder): Promise<DuckOrders[DuckOrder['name']]['result']> {
  if (order.name === 'start') return start(order.params)
  if (duck === null) throw new Error('The engine is not started.')
  const engine = duck
  switch (order.name) {
    case 'tables':
      return duck.tablesIn(order.params.sql)
    case 'clear':
      for (const table of order.params.tables) duck.clear(table)
      return null
    case 'parquet':
      return addParquet(duck, order.params)
    case 'journals':
      return addJournals(duck, order.params)
    case 'show':
      duck.flush()
      return order.params.tables.map((table) => engine.show(table, order.params.range))
    case 'run':
      return duck.run(order.params.sql)
  }
}

let last: Promise<void> = Promise.resolve()

onmessage = ({ data: order }: MessageEvent<DuckOrder>) => {
  last = last.then(async () => {
    const { id } = order
    try {
      postMessage({ id, result: await carryOut(order) } satisfies DuckReply)
    } catch (error) {
      postMessage({ id, error: errorText(error) } satisfies DuckReply)
    }
  })
}
