import type { ReactNode } from 'react'
import { indented, itemsOf, kindOf, membersOf, plainText } from '../../../base/json/exact.ts'
import { cx } from '../../../ui/theme/cx.ts'
import type { QueryPage } from '../contract.ts'
import styles from './query.module.css'

/** Everything else in the response, collapsed. */
export const More = ({ more }: Pick<QueryPage, 'more'>): ReactNode =>
  more.map(({ name, text }) => (
    <details key={name}>
      <summary>{name}</summary>
      {name === 'Explanations' && explanationsIn(text) !== null ? (
        explanationsIn(text)?.map(({ id, lines }) => (
          <figure key={id}>
            <figcaption>
              <bdi>{id}</bdi>
            </figcaption>
            <pre className={cx('raised', styles.text)} tabIndex={0}>
              {lines}
            </pre>
          </figure>
        ))
      ) : (
        <pre className={cx('raised', styles.text)} tabIndex={0}>
          {indented(text)}
        </pre>
      )}
    </details>
  ))

/** Parses `{ id: ["2.1 = weight(…)\n …"] }`, indented as its structure; null: another form. */
export function explanationsIn(text: string): readonly { readonly id: string; readonly lines: string }[] | null {
  if (kindOf(text) !== 'object') return null
  const found = membersOf(text).map(({ key, value }) => ({
    id: key,
    lines: kindOf(value) === 'array' ? itemsOf(value) : [value],
  }))
  return found.every(({ lines }) => lines.every((line) => kindOf(line) === 'string'))
    ? found.map(({ id, lines }) => ({ id, lines: lines.map(plainText).join('\n') }))
    : null
}
