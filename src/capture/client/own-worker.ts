interface TrustedTypesLike {
  readonly createPolicy: (
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ) => { createScriptURL: (url: string) => unknown }
}

/** The only policy for script addresses that are made from a string: the page's policy allows its name once. */
let policy: { createScriptURL: (url: string) => unknown } | undefined

/** Addresses of scripts, by that of the worker. */
const addresses = new Map<string, string>()

/**
 * Starts a worker of the page's origin. A worker follows the policy of the response with its script, which RavenDB sends
 * without one; a worker started from a blob follows the policy of the page.
 */
export function createOwnWorker(url: string, name: string): Worker {
  let address = addresses.get(url)
  if (address === undefined) {
    const types = (globalThis as { trustedTypes?: TrustedTypesLike }).trustedTypes
    policy ??= types?.createPolicy('rookery', { createScriptURL: importing }) ?? { createScriptURL: importing }
    address = policy.createScriptURL(url) as string
    addresses.set(url, address)
  }
  return new Worker(address, { type: 'module', name })
}

/** Address of a script that only imports this one. */
function importing(url: string): string {
  const script = new URL(url, location.href)
  if (script.origin !== location.origin) throw new TypeError(`Not a script of this page: ${url}`)
  return URL.createObjectURL(new Blob([`import ${JSON.stringify(script.href)}`], { type: 'text/javascript' }))
}
