import { Fragment, type ReactNode } from 'react'

/** A number with its unit, as `base/text` formats them: `71 %`, `≈ 12 /s`, `1.42 s`. */
const FIGURES = /((?:[≈<] )?\d[\d.,]* (?:%|[µm]?s|min|h|d|B|[KMGTPE]iB|(?=\/s))(?:\/s)?(?!\p{L}))/u

/**
 * A sentence in which a number and its unit stay on one line. The text itself is unchanged, so that it is copied as shown.
 * Its parts are children of an element, since only those show hidden characters (`jsx/visible-props.ts`). They are new for
 * each text: none moves from line to line.
 */
export const RunningText = ({ text }: { readonly text: string }): ReactNode => (
  <Fragment key={text}>
    {text.split(FIGURES).map((part, i) =>
      i % 2 === 0 ? (
        part
      ) : (
        // oxlint-disable-next-line react/no-array-index-key -- parts have no identity but their place
        <span key={i} className="unbroken">
          {part}
        </span>
      ),
    )}
  </Fragment>
)
