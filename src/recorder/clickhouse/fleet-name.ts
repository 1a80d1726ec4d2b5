import { hostname } from 'node:os'
import { type Manifest, nodeName } from '../../capture/archive/manifest.ts'

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/**
 * Name of a server among those of all recorders. If its recorder reaches it by a loopback address, the name contains
 * the machine; otherwise all such servers would have the same name.
 */
export function fleetName({ nodes }: Pick<Manifest, 'nodes'>, name: string, machine = hostname()): string {
  const url = nodes.find((node) => node.name === name)?.url
  if (url === undefined) return name
  const { protocol, hostname: host, port } = new URL(url)
  return LOOPBACK.test(host) ? nodeName(`${protocol}//${machine}${port === '' ? '' : `:${port}`}`) : name
}
