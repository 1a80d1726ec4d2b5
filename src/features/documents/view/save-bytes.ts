import { chooseSaveTarget } from '../../../ui/save.ts'

/** Saves bytes as a file. Must be called at a click. Errors: those of the browser. */
export async function saveBytes(bytes: Uint8Array<ArrayBuffer>, name: string, mediaType: string): Promise<void> {
  const target = await chooseSaveTarget({ name, mediaType, expectedBytes: bytes.length })
  if (target === null) return
  try {
    await target.write(bytes)
    await target.finish()
  } catch (error) {
    await target.discard()
    throw error
  }
}
