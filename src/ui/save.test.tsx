import { afterEach, describe, expect, it, vi } from 'vitest'
import { chooseSaveTarget } from './save.ts'

const SMALL = { name: 'a.csv', mediaType: 'text/csv', expectedBytes: 1000 }
const LARGE = { ...SMALL, expectedBytes: 1e9 }

/** Downloads as they are begun: name, and text of the blob behind the address. */
function watchDownloads() {
  const blobs: Blob[] = []
  const downloads: { name: string; text: Promise<string> }[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    blobs.push(blob as Blob)
    return `blob:${String(blobs.length - 1)}`
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const blob = blobs[Number(this.href.slice('blob:'.length))]
    downloads.push({ name: this.download, text: blob?.text() ?? Promise.resolve('') })
  })
  return downloads
}

const bytesOf = (text: string) => new TextEncoder().encode(text)

const pickerThat = (pick: () => Promise<unknown>) => vi.stubGlobal('showSaveFilePicker', vi.fn(pick))

const dismissal = () => new DOMException('The user aborted a request.', 'AbortError')

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('saving', () => {
  it('is no download where the browser has lost a piece, since its disk is full', async () => {
    const downloads = watchDownloads()
    const target = await chooseSaveTarget(SMALL)
    await target?.write(bytesOf('one'))
    vi.spyOn(Blob.prototype, 'arrayBuffer').mockRejectedValue(new DOMException('Lost.', 'NotReadableError'))
    await expect(target?.finish()).rejects.toThrow('Lost.')
    expect(downloads).toEqual([])
  })

  it('is a download where there is no picker, made of all pieces in order', async () => {
    const downloads = watchDownloads()
    const target = await chooseSaveTarget(LARGE)
    for (let i = 0; i < 200; i++) await target?.write(bytesOf(`${String(i)},`))
    expect(downloads).toEqual([])
    await target?.finish()
    expect(downloads[0]?.name).toBe('a.csv')
    expect(await downloads[0]?.text).toBe(`${Array.from({ length: 200 }, (_, i) => i).join(',')},`)
    expect(document.querySelector('a')).toBeNull()
  })

  it('asks for a place only for what is large, and writes through to it', async () => {
    const log: string[] = []
    const stream = {
      write: (piece: Uint8Array) => Promise.resolve(void log.push(new TextDecoder().decode(piece))),
      close: () => Promise.resolve(void log.push('close')),
      abort: () => Promise.reject(new Error('was closed')),
    }
    pickerThat(() => Promise.resolve({ createWritable: () => Promise.resolve(stream) }))
    const downloads = watchDownloads()
    await (await chooseSaveTarget(SMALL))?.finish()
    expect(downloads.length).toBe(1)
    const target = await chooseSaveTarget(LARGE)
    await target?.write(bytesOf('one'))
    await target?.finish()
    await target?.discard()
    expect(log).toEqual(['one', 'close'])
    expect(downloads.length).toBe(1)
  })

  it.each([
    ['a.csv', 'text/csv', ['.csv']],
    ['backup', 'application/octet-stream', undefined],
    ['a.csv', 'text/csv; charset=utf-8', undefined],
    ['a.b c', 'text/csv', undefined],
  ])('lets the picker filter %j of type %j by %j', async (name, mediaType, extensions) => {
    pickerThat(() => Promise.reject(dismissal()))
    watchDownloads()
    await chooseSaveTarget({ name, mediaType, expectedBytes: 1e9 })
    const types = extensions === undefined ? undefined : [{ accept: { [mediaType]: extensions } }]
    expect(
      vi.mocked((globalThis as unknown as { showSaveFilePicker: () => void }).showSaveFilePicker),
    ).toHaveBeenCalledWith(types === undefined ? { suggestedName: name } : { suggestedName: name, types })
  })

  it('distinguishes a dialog that was closed from one that never showed', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(1000)
    pickerThat(() => Promise.reject(dismissal()))
    expect(await chooseSaveTarget(LARGE)).not.toBeNull()
    pickerThat(() => {
      now.mockReturnValue(3000)
      return Promise.reject(dismissal())
    })
    expect(await chooseSaveTarget(LARGE)).toBeNull()
    pickerThat(() => Promise.reject(new DOMException('not here', 'SecurityError')))
    expect(await chooseSaveTarget(LARGE)).not.toBeNull()
  })

  it('discarded, it downloads nothing', async () => {
    const downloads = watchDownloads()
    const target = await chooseSaveTarget(SMALL)
    await target?.write(bytesOf('x'))
    await target?.discard()
    expect(downloads).toEqual([])
  })
})
