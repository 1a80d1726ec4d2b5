import type { RawStep } from '../../../../capture/raw/queries.ts'

const PLAIN = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u

/** `$.Environments[3].Files[0]`; for several documents `$[17].Name`. Names that are not identifiers are quoted. */
export function formatPath(steps: readonly RawStep[], isOneDocument: boolean): string {
  return `$${steps
    .map(({ child }, depth) => {
      if (depth === 0 && isOneDocument) return ''
      if (child.key === null) return `[${child.index}]`
      return PLAIN.test(child.key) ? `.${child.key}` : `[${JSON.stringify(child.key)}]`
    })
    .join('')}`
}
