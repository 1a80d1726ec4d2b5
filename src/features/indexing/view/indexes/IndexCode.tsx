import type { ReactNode } from 'react'
import styles from './indexes.module.css'

/** Comments, strings, numbers and keywords of C#, LINQ and JavaScript. */
const TOKENS =
  /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`)|(?<word>\b(?:from|in|select|new|where|let|orderby|group|by|into|join|on|equals|null|true|false|if|else|return|function|var|const|map|this|as|is|typeof|double|int|string|decimal|bool|long)\b)|(?<number>\b\d+(?:\.\d+)?\b)/g

const KINDS = ['comment', 'text', 'word', 'number'] as const

/** Source code of an index, highlighted. */
export function IndexCode({ title, text }: { readonly title: string; readonly text: string }): ReactNode {
  return (
    <figure className={styles.code}>
      <figcaption>{title}</figcaption>
      {/* Long lines scroll: by keyboard only with focus. */}
      <pre tabIndex={0}>{highlighted(text)}</pre>
    </figure>
  )
}

function highlighted(text: string): ReactNode[] {
  const parts: ReactNode[] = []
  let at = 0
  for (const match of text.matchAll(TOKENS)) {
    const kind = KINDS.find((each) => match.groups?.[each] !== undefined) ?? 'word'
    parts.push(
      text.slice(at, match.index),
      <span key={match.index} className={styles[kind]}>
        {match[0]}
      </span>,
    )
    at = match.index + match[0].length
  }
  parts.push(text.slice(at))
  return parts
}

interface IndexSourceProps {
  readonly maps: readonly string[]
  readonly reduce: string | null
}

/** Maps and reduce of an index. */
export const IndexSource = ({ maps, reduce }: IndexSourceProps): ReactNode => (
  <>
    {maps.map((map, i) => (
      <IndexCode key={map} title={maps.length === 1 ? 'Map' : `Map ${i + 1}`} text={map} />
    ))}
    {reduce === null ? null : <IndexCode title="Reduce" text={reduce} />}
  </>
)
