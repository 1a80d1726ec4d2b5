// @ts-check
/**
 * Opens a browser and the pages to measure: the built studio and an empty page, both from one small server on loopback.
 */
import { createServer } from 'node:http'
import { chromium } from '@playwright/test'
import { findChromium } from '../tools/browser.mjs'
import { builtStudio } from '../tools/build.mjs'
import { serveStudio } from '../tools/serve.mjs'

/**
 * @typedef {object} Bench
 * @property {import('@playwright/test').Browser} browser
 * @property {string} studioUrl of the studio's page; the server behind it is gone, so that only files are looked at
 * @property {string} emptyUrl of a page with nothing in it but a file input
 * @property {() => Promise<void>} close
 */

/** @returns {Promise<Bench>} */
export async function openBench() {
  const { path } = await findChromium()
  const browser = await chromium.launch({
    ...(path === undefined ? {} : { executablePath: path }),
    args: ['--js-flags=--expose-gc', '--enable-precise-memory-info'],
  })
  const empty = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<!doctype html><meta charset="utf-8"><title>empty</title><input type="file"><canvas></canvas>')
  })
  await new Promise((done) => empty.listen(0, '127.0.0.1', () => done(undefined)))
  const address = empty.address()
  const served = await serveStudio({ dist: await builtStudio(), target: 'http://127.0.0.1:9' })
  return {
    browser,
    studioUrl: `${served.url}/studio/index.html`,
    emptyUrl: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`,
    close: async () => {
      await browser.close()
      await served.close()
      empty.close()
    },
  }
}
