import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import type { Driver, Plain } from './driver.ts'
import { firstMatch, start } from './processes.ts'

const COMMAND_MS = 60_000

/** Turns off requests to a vendor, pages that open by themselves, and prompts. */
const PREFERENCES: Readonly<Record<string, Plain>> = {
  'app.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'remote.active-protocols': 1,
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
  'toolkit.telemetry.reportingpolicy.firstRun': false,
}

/** A value as WebDriver BiDi carries it; the functions that are run return text. */
interface RemoteResult {
  readonly type: 'success' | 'exception'
  readonly result?: { readonly value?: string }
  readonly exceptionDetails?: { readonly text: string }
}

/** Starts Firefox without windows, by WebDriver BiDi, which needs no program of its own. */
export async function startFirefox(program: string): Promise<Driver> {
  const home = await mkdtemp(join(tmpdir(), 'rookery-firefox-'))
  const [profile, downloads] = [join(home, 'profile'), join(home, 'downloads')]
  for (const dir of [profile, downloads]) await mkdir(dir)
  await writeFile(
    join(profile, 'user.js'),
    Object.entries({ ...PREFERENCES, 'browser.download.folderList': 2, 'browser.download.dir': downloads })
      .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
      .join(''),
  )
  const args = ['--headless', '--no-remote', '--width=1440', '--height=900', '--profile', profile]
  const browser = start(program, [...args, '--remote-debugging-port=0', 'about:blank'], { HOME: home })
  const end = async (): Promise<void> => {
    await browser.end()
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const listening = /WebDriver BiDi listening on (ws:\S+)/
    const [, url = ''] = await firstMatch(browser.child.stderr!, listening, browser.exited)
    return await session(await Connection.open(`${url}/session`), downloads, end)
  } catch (error) {
    await end()
    throw error
  }
}

class Connection {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>()
  #last = 0

  static async open(url: string): Promise<Connection> {
    const socket = new WebSocket(url, { perMessageDeflate: false })
    await new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    return new Connection(socket)
  }

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data: Buffer) => {
      const { id, type, result, error, message } = JSON.parse(data.toString()) as Record<string, string> & {
        id: number
      }
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (type === 'success') waiting?.resolve(result as never)
      else waiting?.reject(new Error(`${error}: ${message}`))
    })
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('Firefox is gone.'))
    })
  }

  readonly send = <T>(method: string, params: object): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const id = ++this.#last
      this.#waiting.set(id, { resolve, reject })
      this.#socket.send(JSON.stringify({ id, method, params }))
      const late = setTimeout(
        () => reject(new Error(`${method} was not answered within ${COMMAND_MS / 1000} s`)),
        COMMAND_MS,
      )
      late.unref()
    })

  close(): void {
    this.#socket.terminate()
  }
}

async function session(connection: Connection, downloads: string, end: () => Promise<void>): Promise<Driver> {
  const { send } = connection
  const { capabilities } = await send<{ capabilities: { browserVersion: string } }>('session.new', { capabilities: {} })
  const { contexts } = await send<{ contexts: readonly { context: string }[] }>('browsingContext.getTree', {})
  let tab = contexts[0]?.context ?? ''
  const call = (functionDeclaration: string, args: readonly Plain[]): Promise<RemoteResult> =>
    send<RemoteResult>('script.callFunction', {
      functionDeclaration,
      arguments: [{ type: 'string', value: JSON.stringify(args) }],
      target: { context: tab },
      awaitPromise: true,
    })
  return {
    engine: `Firefox ${capabilities.browserVersion}`,
    downloads,
    goto: async (url) => void (await send('browsingContext.navigate', { context: tab, url, wait: 'complete' })),
    evaluate: async (run, ...args) => {
      const { result, exceptionDetails } = await call(
        `async (args) => JSON.stringify((await (${String(run)})(...JSON.parse(args))) ?? null)`,
        args,
      )
      if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text)
      return JSON.parse(result?.value ?? 'null') as never
    },
    perform: async (actions) => void (await send('input.performActions', { context: tab, actions })),
    chooseFile: async (selector, path) => {
      const { nodes } = await send<{ nodes: readonly { sharedId: string }[] }>('browsingContext.locateNodes', {
        context: tab,
        locator: { type: 'css', value: selector },
      })
      await send('input.setFiles', { context: tab, element: { sharedId: nodes[0]?.sharedId ?? '' }, files: [path] })
    },
    openTab: async () => {
      const made = await send<{ context: string }>('browsingContext.create', { type: 'tab' })
      return (tab = made.context)
    },
    tab: () => tab,
    toTab: async (wanted) => void (await send('browsingContext.activate', { context: (tab = wanted) })),
    close: async () => {
      connection.close()
      await end()
    },
  }
}
