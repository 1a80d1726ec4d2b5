import { hostname } from 'node:os'
import { type Manifest, nodeName } from '../../capture/archive/manifest.ts'

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/**
 * Name of a server among those of other recorders. One that its recorder knows by a loopback address is named by its machine,
 * or all such servers would be one.
 */
export function fleetName({ nodes }: Pick<Manifest, 'nodes'>, name: string, machine = hostname()): string {
  const url = nodes.find((node) => node.name === name)?.url
  if (url === undefined) return name
  const { protocol, hostname: host, port } = new URL(url)
  return LOOPBACK.test(host) ? nodeName(`${protocol}//${machine}${port === '' ? '' : `:${port}`}`) : name
}
