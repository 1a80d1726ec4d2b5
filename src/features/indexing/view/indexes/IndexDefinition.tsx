import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { errorInfoOf, requestOptions } from '../../../../capture/client/queries.ts'
import { useCapture } from '../../../../capture/client/view.ts'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { ErrorNotice } from '../../../../ui/Notice.tsx'
import { Spinner } from '../../../../ui/Progress.tsx'
import styles from './indexes.module.css'

/** What an index does, as it was written, and why it is stale. */
export function IndexDefinition({ database, index }: { readonly database: string; readonly index: string }): ReactNode {
  const { data, error } = useQuery({
    ...requestOptions(useCapture(), 'actions.indexDefinition', { database, index }),
    staleTime: 10_000,
  })
  const info = errorInfoOf('actions.indexDefinition', error)
  if (info !== null) return <ErrorNotice error={info} tone="warn" />
  if (data === undefined) return <Spinner>Reading the definition</Spinner>
  if (!data.loaded) return null
  const { maps, reduce, json, isStale, stalenessReasons } = data
  return (
    <section className={styles.definition} aria-label={`Definition of ${index}`}>
      <div className={styles.definitionHead}>
        <h3>
          Definition of <bdi>{index}</bdi>
        </h3>
        <CopyButton label="Copy as JSON" text={() => json} />
      </div>
      {!isStale ? null : (
        <>
          <p>Stale, because:</p>
          <ul>
            {stalenessReasons.map((reason) => (
              <li key={reason}>
                <bdi>{reason}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
      {maps.map((map, i) => (
        <Code key={map} title={maps.length === 1 ? 'Map' : `Map ${i + 1}`} text={map} />
      ))}
      {reduce === null ? null : <Code title="Reduce" text={reduce} />}
    </section>
  )
}

/** Comments, texts, numbers and words of C#, LINQ and JavaScript. */
const TOKENS =
  /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`)|(?<word>\b(?:from|in|select|new|where|let|orderby|group|by|into|join|on|equals|null|true|false|if|else|return|function|var|const|map|this|as|is|typeof|double|int|string|decimal|bool|long)\b)|(?<number>\b\d+(?:\.\d+)?\b)/g

const KINDS = ['comment', 'text', 'word', 'number'] as const

function Code({ title, text }: { readonly title: string; readonly text: string }): ReactNode {
  return (
    <figure className={styles.code}>
      <figcaption>{title}</figcaption>
      <pre>{highlighted(text)}</pre>
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
