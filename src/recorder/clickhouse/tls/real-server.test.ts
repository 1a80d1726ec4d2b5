/** A database of ClickHouse (chdb) behind TLS, as the command line opens it: `npm run test:all` has it, as chdb is half a gigabyte. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createServer } from 'node:tls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createAuthority } from '../../../../tools/certificates/certificates.mjs'
import { startClickHouse } from '../../../../tools/clickhouse/chdb.mjs'
import { createSay } from '../../../../tools/say.mjs'
import { ClickHouse } from '../client.ts'
import { prepareDatabase } from '../prepare.ts'

const PASSWORD = 'secret'
const DATABASE = 'behind_tls'
const DAYS = { events: 3, slow: 30, seconds: 30, minutes: 365, rest: 30 }

/** A port behind which TLS ends. */
async function tlsBefore(
  port: number,
  { cert, key }: { readonly cert: string; readonly key: string },
): Promise<number> {
  const front = createServer({ cert, key }, (socket) => {
    const behind = connect(port, '127.0.0.1')
    socket.pipe(behind).pipe(socket)
    // The other end of a connection that is cut goes as well.
    for (const end of [socket, behind]) end.on('error', () => [socket, behind].forEach((each) => each.destroy()))
  })
  // A handshake that fails is what the other side reports.
  front.on('tlsClientError', () => undefined)
  onTestFinished(() => void front.close())
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  return (front.address() as AddressInfo).port
}

function open(
  address: string,
  env: NodeJS.ProcessEnv,
): { readonly said: () => string; readonly ended: Promise<unknown[]> } {
  const child = spawn(process.execPath, ['tools/rookery.mjs', 'open', address, '--no-open'], {
    env: { ...process.env, ROOKERY_CLICKHOUSE_PASSWORD: PASSWORD, ...env },
  })
  onTestFinished(() => void child.kill())
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += String(part)))
  return { said: () => said, ended: once(child, 'exit') }
}

test.skipIf(process.env['ROOKERY_CLICKHOUSE'] === undefined)(
  'it is opened where its authority is trusted, and else a sentence says which file to name',
  async () => {
    const { url, stop } = await startClickHouse({ password: PASSWORD, say: createSay() })
    const folder = mkdtempSync(join(tmpdir(), 'rookery-authority-'))
    onTestFinished(async () => {
      await stop()
      rmSync(folder, { recursive: true })
    })
    const clickHouse = new ClickHouse({ url, database: DATABASE, user: 'default', password: PASSWORD })
    await prepareDatabase(clickHouse, DAYS)
    await clickHouse.run("INSERT INTO servers VALUES ('a_8080', 'http://a:8080', now())")
    const authority = createAuthority('Rookery tests')
    writeFileSync(join(folder, 'ca.pem'), authority.cert)
    const port = await tlsBefore(
      Number(new URL(url).port),
      authority.issue('front', { usage: 'server', hosts: ['localhost', '127.0.0.1'] }),
    )
    const address = `clickhouses://localhost:${String(port)}/${DATABASE}`
    const trusting = open(address, { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') })
    const page = await vi.waitUntil(() => /http:\/\/127\.0\.0\.1:\d+/.exec(trusting.said())?.[0], { timeout: 100_000 })
    expect(await (await fetch(`${page}/archive`)).json()).toEqual({ fleet: DATABASE })
    const servers = await fetch(`${page}/archive-servers?from=0&to=10`)
    expect(await servers.json()).toMatchObject([{ node: 'a_8080', url: 'http://a:8080' }])
    const other = open(address, { NODE_EXTRA_CA_CERTS: '' })
    expect(await other.ended).toEqual([1, null])
    expect(other.said()).toContain('shows a certificate that is not trusted here')
    expect(other.said()).toContain('NODE_EXTRA_CA_CERTS=FILE')
  },
  200_000,
)
