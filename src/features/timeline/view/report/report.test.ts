// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { reportHtml, type Report } from './report.ts'

const HOSTILE = '<img src=x onerror="alert(1)"> Password=hunter2; \u202E'
const REPORT: Report = {
  title: `Report ${HOSTILE}`,
  range: HOSTILE,
  sources: [HOSTILE],
  sentences: [HOSTILE],
  picture: 'data:image/png;base64,AAAA',
  tables: [
    { title: HOSTILE, words: HOSTILE, head: ['From', HOSTILE], rows: [[HOSTILE, 'b']], left: 1200 },
    { title: 'Empty', words: '', head: [], rows: [], left: 0 },
  ],
  madeAt: '2026-11-26',
}
const html = [...reportHtml(REPORT)].join('')
const page = new DOMParser().parseFromString(html, 'text/html')

test('a report shows foreign text as text, without secrets', () => {
  expect(page.querySelectorAll('img')).toHaveLength(1)
  expect(page.querySelector('h1')?.textContent).toBe(
    String.raw`Report <img src=x onerror="alert(1)"> Password=[removed]; \u202E`,
  )
  expect(html).not.toContain('hunter2')
  expect(html).not.toContain('\u202E')
  expect(page.querySelector('tbody th')?.textContent).toContain('<img')
  expect(html).toContain('1,200 more are not listed.')
})

test('a report fetches nothing and runs nothing', () => {
  const policy = page.querySelector('meta[http-equiv]')?.getAttribute('content')
  expect(policy).toBe(`default-src 'none'; img-src data:; style-src 'unsafe-inline'`)
  expect(page.querySelectorAll('script, link, iframe, object, a[href]')).toHaveLength(0)
  const other = [...reportHtml({ ...REPORT, picture: 'https://example.test/x.png"><script>' })].join('')
  expect(other).not.toContain('example.test')
})
