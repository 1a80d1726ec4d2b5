import { chooseSaveTarget, type SaveOptions } from '../../ui/save.ts'
import { Pieces } from './pieces.ts'

/** Saves texts as one file, piece by piece; must be called at a click. Errors: those of the browser. */
export async function saveText(lines: Iterable<string>, options: SaveOptions): Promise<void> {
  const target = await chooseSaveTarget(options)
  if (target === null) return
  try {
    const out = new Pieces()
    for (const line of lines) {
      out.text(line)
      for (let piece = out.take(); piece !== null; piece = out.take()) await target.write(piece)
    }
    for (let piece = out.finish(); piece !== null; piece = out.finish()) await target.write(piece)
    await target.finish()
  } catch (error) {
    await target.discard()
    throw error
  }
}
