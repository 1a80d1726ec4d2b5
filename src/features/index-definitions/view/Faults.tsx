import type { ReactNode } from 'react'
import type { DefinitionFault, DefinitionPart } from '../contract.ts'

const partTitle = (part: DefinitionPart): string =>
  part === 'reduce'
    ? 'Reduce'
    : typeof part === 'number'
      ? `Map ${part + 1}`
      : `Additional source ${Number(part.slice('source '.length)) + 1}`

/** List of the errors in a definition. Those with a position are also marked in the text. */
export const Faults = ({ faults }: { readonly faults: readonly DefinitionFault[] }): ReactNode =>
  faults.length === 0 ? null : (
    <div role="alert" className="fault">
      <ul>
        {faults.map(({ part: where, message }) => (
          <li key={`${where} ${message}`}>
            {where === null ? '' : `${partTitle(where)}: `}
            <bdi>{message}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
