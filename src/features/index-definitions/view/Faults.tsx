import type { ReactNode } from 'react'
import type { DefinitionFault } from '../contract.ts'

/** Faults of a definition in words; those with a place are marked in the text, too. */
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
