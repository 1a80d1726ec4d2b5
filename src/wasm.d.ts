/** AssemblyScript, compiled by the build: see `tools/assembly.mjs`. */
declare module '*.ts?wasm' {
  const compile: () => WebAssembly.Module
  export default compile
}

/** Address of DuckDB's WebAssembly, gzipped: see `tools/duckdb.mjs`. */
declare module 'rookery:duckdb' {
  const url: string
  export default url
}
