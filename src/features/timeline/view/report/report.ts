import { visibleLines } from '../../../../base/text/visible.ts'
import { withoutSecrets } from '../../../../base/text/secrets.ts'

/** A table of a report, as text. */
export interface ReportTable {
  readonly title: string
  readonly words: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Number of rows left out. */
  readonly left: number
}

/** Contents of a report. Texts are as reported by the server; this module escapes them. */
export interface Report {
  readonly title: string
  readonly range: string
  /** Names of the sources in the picture. */
  readonly sources: readonly string[]
  /** Summary at the top: Triage, and what is in view. */
  readonly sentences: readonly string[]
  /** Picture of the range, `data:image/png;…`; empty: none. */
  readonly picture: string
  readonly tables: readonly ReportTable[]
  readonly madeAt: string
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Prepares foreign text for HTML: removes secrets, escapes markup, and shows hidden characters as escapes. */
const shown = (text: string): string =>
  visibleLines(withoutSecrets(text)).replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

const STYLE = `
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
body { max-width: 90rem; margin: 2rem auto; padding: 0 1rem; }
img { display: block; max-width: 100%; height: auto; border: 1px solid #8888; }
table { width: 100%; border-collapse: collapse; margin: .5rem 0 1rem; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .6rem; border-bottom: 1px solid #8884; text-align: start; vertical-align: top; overflow-wrap: anywhere; }
thead th { font-weight: 600; }
tbody th { font-weight: 400; }
.faint { opacity: .7; }
@media print { details { display: block } }
`

/** Content security policy of the file: it loads nothing and runs nothing. */
const POLICY = `default-src 'none'; img-src data:; style-src 'unsafe-inline'`

/** Self-contained HTML page, in pieces. */
export function* reportHtml(report: Report): Generator<string> {
  const { title, range, sources, sentences, picture, tables, madeAt } = report
  yield `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width">
<title>${shown(title)}</title><style>${STYLE}</style></head><body>
<h1>${shown(title)}</h1>
<p>${shown(range)}<br><span class="faint">${sources.map(shown).join(', ')}</span></p>
${sentences.map((sentence) => `<p>${shown(sentence)}</p>\n`).join('')}`
  if (/^data:image\/png;base64,[\w+/=]+$/.test(picture))
    yield `<p><img src="${picture}" alt="Timeline of the range; the tables below have the same"></p>\n`
  for (const table of tables) yield* tableHtml(table)
  yield `<p class="faint">Made by Rookery ${shown(madeAt)}. What looks like a password, a key or a token was removed.</p>\n</body></html>\n`
}

function* tableHtml({ title, words, head, rows, left }: ReportTable): Generator<string> {
  yield `<section><h2>${shown(title)}</h2>\n${words === '' ? '' : `<p>${shown(words)}</p>\n`}`
  if (rows.length > 0) {
    yield `<table><thead><tr>${head.map((name) => `<th scope="col">${shown(name)}</th>`).join('')}</tr></thead><tbody>\n`
    for (const row of rows)
      yield `<tr>${row.map((cell, at) => (at === 0 ? `<th scope="row">${shown(cell)}</th>` : `<td>${shown(cell)}</td>`)).join('')}</tr>\n`
    yield '</tbody></table>\n'
  }
  if (left > 0) yield `<p class="faint">${left.toLocaleString('en-US')} more are not listed.</p>\n`
  yield '</section>\n'
}
