import type { ReactNode } from 'react'
import { studioBeside } from '../url/studio-beside.ts'
import { LinkNotice } from './LinkNotice.tsx'

/** Page for a link of the official Studio that has no equivalent here. */
export default function OnlyInStudio({ hash }: { readonly hash: string }): ReactNode {
  const beside = studioBeside(location.pathname)
  return (
    <LinkNotice tone="info" title="This page is in the official Studio only">
      <p>
        Rookery has no page for <bdi>{hash.replace(/\?.*$/s, '')}</bdi>; what is nearest is shown.{' '}
        {beside === null ? (
          'The official Studio is not installed beside it.'
        ) : (
          <a href={beside + hash}>Open it in the official Studio</a>
        )}
      </p>
    </LinkNotice>
  )
}
