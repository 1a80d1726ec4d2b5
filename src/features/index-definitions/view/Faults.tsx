import type { ReactNode } from 'react'
import type { DefinitionFault } from '../contract.ts'

/** List of the errors in a definition. Those with a position are also marked in the text. */
export const Faults = ({ faults }: { readonly faults: readonly DefinitionFault[] }): ReactNode =>
  faults.length === 0 ? null : (
    <div role="alert" className="fault">
      <ul>
        {faults.map(({ part: where, message }) => (
          <li key={`${where} ${message}`}>
            {where === null ? '' : where === 'reduce' ? 'Reduce: ' : `Map ${where + 1}: `}
            <bdi>{message}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
