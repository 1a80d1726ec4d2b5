import type { ReactNode } from 'react'
import { formatBytes } from '../../../../base/text/format.ts'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import type { OpenedDocument } from '../../contract.ts'
import { ServerTime } from '../../../../capture/frame/ServerTime.tsx'

interface DocumentFactsProps {
  readonly database: string
  readonly opened: OpenedDocument
}

/** `HasRevisions, HasTimeSeries, Resolved` → `With revisions, time series, Resolved`. */
export const flagWords = (flags: readonly string[]): string => {
  const parts = flags.flatMap((flag) => {
    const part = /^Has(.+)$/.exec(flag)?.[1]
    return part === undefined ? [] : [part.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()]
  })
  const others = flags.filter((flag) => !flag.startsWith('Has'))
  return [...(parts.length === 0 ? [] : [`With ${parts.join(', ')}`]), ...others].join(', ')
}

/** Metadata that the server writes itself. */
export function DocumentFacts({ database, opened }: DocumentFactsProps): ReactNode {
  const { id, collection, changeVector, modified, bytes, flags } = opened
  const { response: size } = useRequest('documents.size', { database, id }, { version: changeVector, everyMs: 1000 })
  return (
    <p className="row note">
      <span>Collection {collection === '' ? 'none' : collection}</span>
      <span>
        Changed <ServerTime at={modified} />
      </span>
      <span>
        {formatBytes(bytes)} as JSON
        {size === null ? '' : `, ${formatBytes(size.actual)} stored (${formatBytes(size.allocated)} allocated)`}
      </span>
      {flags.length === 0 ? null : <span>{flagWords(flags)}</span>}
      <span className="inline">
        Change vector <code>{changeVector}</code>
        <CopyButton text={() => changeVector} label="Copy change vector" />
      </span>
    </p>
  )
}
