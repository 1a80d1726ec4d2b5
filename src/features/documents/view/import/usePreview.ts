import { useEffect, useState } from 'react'
import { exactText } from '../../../../base/text/exact-text.ts'

/** Length of the beginning of a file that is read for its preview, bytes. */
const PREVIEWED = 256 * 1024
/** Limit of the text of a dump after decompression, UTF-16 units. */
const MOST_TEXT = 1024 * 1024

export interface FilePreview {
  readonly file: File
  readonly kind: 'csv' | 'dump'
  /** Beginning of the text; empty where it cannot be read here. */
  readonly text: string
  /** The text is all of it. */
  readonly isWhole: boolean
  /** Reason why it is not shown; null where it is. */
  readonly problem: string | null
}

const startsWith = (bytes: Uint8Array, ...magic: readonly number[]): boolean =>
  magic.every((byte, i) => bytes[i] === byte)

/** Beginning of what a gzip file holds. A cut end is no error here. */
async function unzipped(file: File): Promise<string> {
  const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    while (text.length < MOST_TEXT) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value, { stream: true })
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
  return text
}

async function previewOf(file: File): Promise<FilePreview> {
  const bytes = new Uint8Array(await file.slice(0, PREVIEWED).arrayBuffer())
  const isWhole = file.size <= PREVIEWED
  if (startsWith(bytes, 0x1f, 0x8b))
    return { file, kind: 'dump', text: await unzipped(file), isWhole: false, problem: null }
  if (startsWith(bytes, 0x28, 0xb5, 0x2f, 0xfd))
    return {
      file,
      kind: 'dump',
      text: '',
      isWhole: false,
      problem: 'It is compressed by zstd, which browsers cannot read: its documents are not shown before the import.',
    }
  if (/\.ravendbdump$/i.test(file.name)) return { file, kind: 'dump', text: exactText(bytes), isWhole, problem: null }
  return { file, kind: 'csv', text: exactText(bytes), isWhole, problem: null }
}

/** The beginning of a file that was chosen; null: none was, or it is being read. */
export function usePreview(file: File | null): FilePreview | null {
  const [preview, setPreview] = useState<FilePreview | null>(null)
  useEffect(() => {
    if (file === null) return undefined
    let isCurrent = true
    const take = (found: FilePreview): void => {
      if (isCurrent) setPreview(found)
    }
    previewOf(file).then(take, (error: unknown) =>
      take({
        file,
        kind: 'csv',
        text: '',
        isWhole: false,
        problem: `It cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      }),
    )
    return () => {
      isCurrent = false
    }
  }, [file])
  return preview?.file === file ? preview : null
}

/** Ids of the first documents of a dump, as its text has them. */
export const idsIn = (text: string, most: number): readonly string[] =>
  [...text.slice(0, MOST_TEXT).matchAll(/"@id":("(?:[^"\\]|\\.)*")/g)]
    .slice(0, most)
    .map(([, id]) => String(JSON.parse(id ?? '""')))
