import { useEffect, useState } from 'react'
import { errorText } from '../../../../base/text/error-text.ts'
import { exactText } from '../../../../base/text/exact-text.ts'

/** Number of bytes at the start of a file that are read for its preview. */
const PREVIEWED = 256 * 1024
/** Maximum length of the decompressed text of a dump, UTF-16 units. */
const MOST_TEXT = 1024 * 1024

export interface FilePreview {
  readonly file: File
  readonly kind: 'csv' | 'dump'
  /** Start of the text; empty if the file cannot be read here. */
  readonly text: string
  /** Whether the text is complete. */
  readonly isWhole: boolean
  /** Reason why there is no preview; null if there is one. */
  readonly problem: string | null
}

/** Bytes of a character whose rest was not read. */
const CUT_CHARACTER = /[\uDC80-\uDCFF]{1,3}$/u

const startsWith = (bytes: Uint8Array, ...magic: readonly number[]): boolean =>
  magic.every((byte, i) => bytes[i] === byte)

/** Decompresses the start of a gzip file. A truncated end is not an error here. */
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
  const text = exactText(bytes)
  return { file, kind: 'csv', text: isWhole ? text : text.replace(CUT_CHARACTER, ''), isWhole, problem: null }
}

/** Start of the chosen file; null: no file, or it is still being read. */
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
        problem: `It cannot be read: ${errorText(error)}`,
      }),
    )
    return () => {
      isCurrent = false
    }
  }, [file])
  return preview?.file === file ? preview : null
}

/** Ids of the first documents of a dump, as written in its text. */
export const idsIn = (text: string, most: number): readonly string[] =>
  [...text.slice(0, MOST_TEXT).matchAll(/"@id":("(?:[^"\\]|\\.)*")/g)]
    .slice(0, most)
    .map(([, id]) => String(JSON.parse(id ?? '""')))
