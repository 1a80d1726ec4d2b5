import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { freePort } from '../../tools/ravendb/run.mjs'
import type { Driver, Plain } from './driver.ts'
import { firstMatch, start, type Started } from './processes.ts'

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
const SCRIPT_MS = 60_000

/** Response of `WebKitWebDriver` to a function: its value, or the message of its error. */
interface Outcome {
  readonly value?: Plain
  readonly error?: string
}

/** Starts WebKitGTK's small browser on a display of its own, by WebDriver. */
export async function startWebKit(miniBrowser: string): Promise<Driver> {
  const home = await mkdtemp(join(tmpdir(), 'rookery-webkit-'))
  const downloads = join(home, 'downloads')
  for (const dir of [downloads, join(home, '.config')]) await mkdir(dir)
  await writeFile(join(home, '.config', 'user-dirs.dirs'), `XDG_DOWNLOAD_DIR="${downloads}"\n`)
  const display = start('Xvfb', ['-displayfd', '3', '-screen', '0', '1440x900x24', '-nolisten', 'tcp'])
  const started: Started[] = [display]
  const end = async (): Promise<void> => {
    for (const each of started.toReversed()) await each.end()
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const [number = ''] = await firstMatch(display.child.stdio[3] as NodeJS.ReadableStream, /\d+(?=\n)/, display.exited)
    const port = await freePort()
    const service = start('WebKitWebDriver', [`--port=${port}`], {
      HOME: home,
      DISPLAY: `:${number}`,
      GDK_BACKEND: 'x11',
      // WebKit draws on the CPU: this machine has no GPU.
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      // Only root needs to turn the sandbox off.
      ...(process.getuid?.() === 0 ? { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' } : {}),
    })
    started.push(service)
    return await session(`http://127.0.0.1:${port}`, { miniBrowser, downloads, end })
  } catch (error) {
    await end()
    throw error
  }
}

interface Parts {
  readonly miniBrowser: string
  readonly downloads: string
  readonly end: () => Promise<void>
}

async function session(url: string, { miniBrowser, downloads, end }: Parts): Promise<Driver> {
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${url}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { value } = (await response.json()) as { value: unknown }
    if (response.ok) return value
    const { error, message } = value as { error: string; message: string }
    throw new Error(`${method} ${path}: ${error}: ${message}`)
  }
  await expect.poll(() => send('GET', '/status').then(Boolean, () => false)).toBe(true)
  const made = (await send('POST', '/session', {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': { binary: miniBrowser, args: ['--automation'] } } },
  })) as { sessionId: string; capabilities: { browserVersion: string } }
  const at = `/session/${made.sessionId}`
  await send('POST', `${at}/timeouts`, { script: SCRIPT_MS, pageLoad: SCRIPT_MS })
  await send('POST', `${at}/window/rect`, { x: 0, y: 0, width: 1440, height: 900 })
  let tab = (await send('GET', `${at}/window`)) as string
  return {
    engine: `WebKitGTK ${made.capabilities.browserVersion}`,
    downloads,
    goto: async (address) => void (await send('POST', `${at}/url`, { url: address })),
    evaluate: async (run, ...args) => {
      const script = `const done = arguments[arguments.length - 1]
        Promise.resolve([].slice.call(arguments, 0, -1)).then((args) => (${String(run)})(...args)).then(
          (value) => done({ value: value === undefined ? null : value }), (error) => done({ error: String(error) }))`
      const outcome = (await send('POST', `${at}/execute/async`, { script, args })) as Outcome
      if (outcome.error !== undefined) throw new Error(outcome.error)
      return outcome.value as never
    },
    perform: async (actions) => void (await send('POST', `${at}/actions`, { actions })),
    chooseFile: async (selector, path) => {
      const found = (await send('POST', `${at}/element`, { using: 'css selector', value: selector })) as {
        readonly [ELEMENT]: string
      }
      await send('POST', `${at}/element/${found[ELEMENT]}/value`, { text: path })
    },
    openTab: async () => {
      // A tab that the driver opens stays behind the first one, hidden.
      const made = (await send('POST', `${at}/window/new`, { type: 'window' })) as { handle: string }
      await send('POST', `${at}/window`, { handle: (tab = made.handle) })
      return tab
    },
    tab: () => tab,
    toTab: async (handle) => void (await send('POST', `${at}/window`, { handle: (tab = handle) })),
    close: async () => {
      await send('DELETE', at).catch(() => undefined)
      await end()
    },
  }
}
