// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

test('what fails because a signal ends the command is not reported, and polite ends are waited for', async () => {
  const script = `
    import { atEnd, endQuietly, unlessEnding } from ${JSON.stringify(new URL('children.mjs', import.meta.url).href)}
    const fail = (error) => { console.log('failed:', error.message); process.exit(1) }
    endQuietly()
    setInterval(() => {}, 1000)
    new Promise((_, reject) => {
      atEnd({ polite: () => (reject(new Error('fetch failed')), new Promise((done) => setTimeout(done, 50)).then(() => console.log('ended politely'))) })
      console.log('ready')
    }).catch(unlessEnding(fail))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.once('data', () => child.kill('SIGINT'))
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  expect(printed).toContain('ended politely')
  expect(printed).not.toContain('failed')
  expect(code).toBe(0)
})
