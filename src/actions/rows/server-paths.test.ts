import { expect, it } from 'vitest'
import { notFull, pathIn } from './server-paths.ts'

const on = (Type: string) => ({ read: () => Promise.resolve({ OsInfo: { Type } }) })

it.each([
  ['Linux', ['/b', '/', '/b/../c', '']],
  ['Windows', [String.raw`C:\b`, 'd:/b', String.raw`\\server\share`, '']],
])('takes full paths of %s', async (system, folders) => {
  for (const folder of folders) expect(await notFull(on(system), folder)).toBeNull()
})

it.each([
  ['Linux', ['b', './b', '~/b', String.raw`C:\b`, String.raw`\\server\share`]],
  ['Windows', ['b', '/b', String.raw`\b`, 'C:b', String.raw`\\\b`]],
])('does not take for one on %s what the server would put into its program folder', async (system, folders) => {
  for (const folder of folders)
    expect(await notFull(on(system), folder)).toContain(`“${folder}” is no full path on ${system}`)
})

it('names what is in a folder by its full path, as the server writes paths', () => {
  expect(pathIn('/b/', 'x-backup')).toBe('/b/x-backup')
  expect(pathIn('/', 'x')).toBe('/x')
  expect(pathIn(String.raw`D:\b`, 'x')).toBe(String.raw`D:\b\x`)
  expect(pathIn('/b', '/c/x')).toBe('/c/x')
})
