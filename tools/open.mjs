// @ts-check
/** Opens an address in the user's browser if there is a display. Never fails. */
import { spawn } from 'node:child_process'

/** @param {string} url */
export function openInBrowser(url) {
  const { platform, env } = process
  if (env['CI']) return
  if (platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return
  const command = platform === 'darwin' ? 'open' : platform === 'win32' ? 'cmd' : 'xdg-open'
  const args = platform === 'win32' ? ['/c', 'start', '', url] : [url]
  try {
    // The browser outlives this process.
    const child = spawn(command, args, { stdio: 'ignore', detached: true, windowsHide: true })
    child.once('error', () => {})
    child.unref()
  } catch {
    // The address has been printed, so the user can open it.
  }
}
