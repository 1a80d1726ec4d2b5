import { expect, it } from 'vitest'
import { scoreOf } from '../../../testing/stalls/scored.ts'
import { simulate } from '../../../testing/stalls/simulated.ts'

it('takes spells in which writes are slow at random for no limit of the volume, also where each has the same rate', async () => {
  // Three spells of this one happen to have the same bytes a second, within 6 %.
  const { claims, judged } = await scoreOf(simulate('slow spells', 3, 4))
  expect(claims).toBe(0)
  expect(Object.keys(judged)).toEqual(['random → unexplained'])
})
