import { expect, it } from 'vitest'
import { seededRandom } from '../../../../base/random.ts'
import type { GeneratedEvent } from '../../../../testing/stalls/generated-stalls.ts'
import { judged } from '../../../../testing/stalls/scored-stalls.ts'

it('small compressed writes that are fast do not convict the compression of large ones that nothing is beside', async () => {
  const random = seededRandom(11)
  const [writes, compressions]: [GeneratedEvent[], GeneratedEvent[]] = [[], []]
  const add = (start: number, bytes: number, isCompressed: boolean): number => {
    const end = start + 2 + bytes / 100_000 + random()
    writes.push({ start, end, bytes, truth: null })
    if (isCompressed) compressions.push({ start: start - 6, end: start - 1, bytes: 2 * bytes, truth: null })
    return end
  }
  for (let at = 1000; at < 540_000;) {
    at = 120 + add(at, 8192 * (1 + Math.floor(8 * random())), random() < 0.1)
    if (random() < 0.015) at = 120 + add(at, 2e7 * (1 + random()), true)
  }
  const { stalls } = await judged([{ environment: '/one', volume: 'one', writes, syncs: [], compressions }], 1)
  expect(stalls.length).toBeGreaterThan(40)
  expect(new Set(stalls.map(({ cause }) => cause))).toEqual(new Set(['size']))
})
