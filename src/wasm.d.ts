/** AssemblyScript, compiled by the build: see `tools/assembly.mjs`. */
declare module '*.ts?wasm' {
  const compile: () => WebAssembly.Module
  export default compile
}
