import type { BatchMemory } from '../feeds/indexing/data/watching/finished/batch-memory.ts'
import { seededRandom } from '../base/random.ts'

const MIB = 1024 * 1024
const INITIAL = 32 * MIB
const STEP = 16 * MIB
const SECOND = 10_000_000

/** Batch as a file has it: its use at the last check, and its budget; 0: it requested none. */
export interface FamilyBatch {
  readonly startTicks: number
  readonly endTicks: number
  readonly usedBytes: number
  readonly budgetBytes: number
}

export interface FamilyIndex {
  readonly name: string
  readonly batches: readonly FamilyBatch[]
}

export interface FamilyStory {
  readonly indexes: readonly FamilyIndex[]
  /** Indexes that keep a budget, from when on, and what they keep unused; empty: the story is healthy. */
  readonly holders: readonly {
    readonly name: string
    readonly sinceTicks: number
    readonly unusedBytes: number
    readonly betweenTicks: number
  }[]
  readonly growers: readonly string[]
}

interface World {
  readonly chance: () => number
  readonly between: (low: number, high: number) => number
  readonly hours: number
  /** Largest budget that an ordinary index reaches. */
  readonly scale: number
}

interface Rhythm {
  readonly everyTicks: number
  readonly count: number
  readonly at: (batch: number) => { readonly startTicks: number; readonly endTicks: number }
}

function worldOf(seed: number): World {
  const chance = seededRandom(seed * 7919 + 13)
  const between = (low: number, high: number): number => low + (high - low) * chance()
  return { chance, between, hours: between(2, 9), scale: MIB * Math.exp(between(Math.log(96), Math.log(4096))) }
}

/** Batches at even distances, of uneven lengths. */
function rhythmOf({ chance, between, hours }: World, everyS = between(40, 150)): Rhythm {
  const everyTicks = Math.round(everyS * SECOND)
  const count = Math.floor((hours * 3600) / everyS)
  const offset = chance() * everyTicks
  return {
    everyTicks,
    count,
    at: (batch) => {
      const startTicks = Math.round(offset + batch * everyTicks)
      return { startTicks, endTicks: Math.round(startTicks + everyTicks * between(0.2, 0.9)) }
    },
  }
}

/**
 * Budget that a healthy server grants a batch that ends with so much in use: requests go out at checks on its way up.
 */
function grantFor(peak: number, chance: () => number): number {
  let budget = INITIAL
  for (let used = 0; used < peak;) {
    used = Math.min(peak, used + Math.max(MIB, (peak / 24) * (0.5 + chance())))
    if (used > budget) budget = Math.round(used) + STEP
  }
  return budget === INITIAL ? 0 : budget
}

type Shape = (batch: number, world: World) => { readonly usedBytes: number; readonly budgetBytes: number }

const indexOf = (name: string, world: World, rhythm: Rhythm, shape: Shape): FamilyIndex => ({
  name,
  batches: Array.from({ length: rhythm.count }, (_, batch) => ({ ...rhythm.at(batch), ...shape(batch, world) })),
})

/**
 * Shape whose batches request as much as they need. `ratio`: the server counts a transaction's pages several times, but
 * reports them once.
 */
const requests =
  (demand: (batch: number) => number, ratio = 1): Shape =>
  (batch, { chance }) => {
    const peak = demand(batch)
    return { usedBytes: Math.round(peak / ratio), budgetBytes: grantFor(peak, chance) }
  }

/** Grows over the hours from a tenth of the scale to several times of it. */
function growerOf(name: string, world: World): FamilyIndex {
  const rhythm = rhythmOf(world)
  const [low, high] = [world.scale * world.between(0.1, 0.5), world.scale * world.between(2, 5)]
  return indexOf(
    name,
    world,
    rhythm,
    requests((batch) => low + ((high - low) * batch) / rhythm.count + world.between(-4, 4) * MIB),
  )
}

const ordinary = (name: string, world: World): FamilyIndex => {
  const level = world.scale * world.between(0.1, 1)
  return indexOf(
    name,
    world,
    rhythmOf(world),
    requests(() => level * world.between(0.3, 1)),
  )
}

const others = (world: World, from: number): FamilyIndex[] =>
  Array.from({ length: 1 + Math.floor(world.chance() * 5) }, (_, i) => ordinary(`Ordinary/${from + i}`, world))

const roundUp = (bytes: number): number => Math.ceil(bytes / STEP) * STEP

/** Healthy indexes of every shape that could be mistaken; each story has one that grows as well. */
const HEALTHY: Readonly<Record<string, (world: World) => readonly FamilyIndex[]>> = {
  'asks for what it needs': (world) => [ordinary('Subject', world)],
  'reports a part of what counts, batch after batch': (world) => {
    const ratio = 2 + Math.floor(world.chance() * 3)
    const level = world.scale * world.between(0.4, 1)
    return [
      indexOf(
        'Subject',
        world,
        rhythmOf(world),
        requests(() => level + world.between(-1, 1) * MIB, ratio),
      ),
    ]
  },
  'releases at the end of each batch': (world) => {
    const level = world.scale * world.between(0.4, 1)
    const left = world.between(0.05, 0.4)
    return [
      indexOf('Subject', world, rhythmOf(world), (_, { chance, between }) => {
        const budgetBytes = grantFor(level * between(0.97, 1), chance)
        return { budgetBytes, usedBytes: Math.round(level * left) }
      }),
    ]
  },
  're-uses one budget in each batch': (world) => {
    const budgetBytes = roundUp(world.scale)
    return [
      indexOf('Subject', world, rhythmOf(world), () => ({
        budgetBytes,
        usedBytes: Math.round(budgetBytes * world.between(0.6, 1)),
      })),
    ]
  },
  're-uses one budget in a sawtooth': (world) => {
    const budgetBytes = roundUp(world.scale)
    const period = Math.floor(world.between(2, 40))
    return [
      indexOf('Subject', world, rhythmOf(world), (batch) => ({
        budgetBytes,
        usedBytes: Math.round(budgetBytes * (0.05 + (0.93 * ((batch % period) + 1)) / period)),
      })),
    ]
  },
  're-uses one budget and ends anywhere in it': (world) => {
    const budgetBytes = roundUp(world.scale)
    return [
      indexOf('Subject', world, rhythmOf(world), () => ({
        budgetBytes,
        usedBytes: Math.max(1, Math.round(budgetBytes * world.chance())),
      })),
    ]
  },
  'reports a part of what counts, in whole steps': (world) => {
    const budgetBytes = roundUp(world.scale)
    const ratio = 2 + Math.floor(world.chance() * 3)
    return [
      indexOf('Subject', world, rhythmOf(world), () => ({
        budgetBytes,
        usedBytes: Math.round(((budgetBytes - STEP) * world.between(0.95, 1)) / ratio),
      })),
    ]
  },
  'sawtooth, each batch asking': (world) => {
    const period = Math.floor(world.between(2, 200))
    return [
      indexOf(
        'Subject',
        world,
        rhythmOf(world),
        requests((batch) => (world.scale * ((batch % period) + 1)) / period),
      ),
    ]
  },
  'budgets in whole steps': (world) => {
    const level = world.scale * world.between(0.2, 1)
    return [
      indexOf('Subject', world, rhythmOf(world), () => {
        const usedBytes = Math.round(level * world.between(0.9, 1))
        return { usedBytes, budgetBytes: roundUp(usedBytes) + STEP }
      }),
    ]
  },
  'finishes with a large budget and goes idle': (world) => {
    const rhythm = rhythmOf(world)
    const whole = indexOf(
      'Subject',
      world,
      rhythm,
      requests(() => world.scale * world.between(0.9, 1)),
    )
    const end = Math.floor(rhythm.count * world.between(0.05, 0.5))
    return [{ name: whole.name, batches: whole.batches.slice(0, Math.max(1, end)) }]
  },
  'asks for nothing': (world) => [
    indexOf('Subject', world, rhythmOf(world), () => ({
      usedBytes: Math.floor(world.chance() * INITIAL),
      budgetBytes: 0,
    })),
  ],
  'one large batch, then small ones that ask for nothing': (world) => [
    indexOf('Subject', world, rhythmOf(world), (batch, { chance }) =>
      batch % 50 === 0
        ? { usedBytes: Math.round(world.scale), budgetBytes: grantFor(world.scale, chance) }
        : { usedBytes: Math.floor(chance() * INITIAL), budgetBytes: 0 },
    ),
  ],
}

export const HEALTHY_FAMILIES = Object.keys(HEALTHY)

/** A story in which no budget outlives its batch. */
export function healthyStory(family: string, seed: number): FamilyStory {
  const world = worldOf(seed)
  const subject = HEALTHY[family]?.(world) ?? []
  return { indexes: [...subject, growerOf('Grower', world), ...others(world, 1)], holders: [], growers: ['Grower'] }
}

const NOISY =
  ({ between }: World) =>
  () =>
    between(0.9, 1)
/** How a holder uses the budget that it keeps, as a share of what it is left with. */
const LEFT: Readonly<Record<string, (world: World) => (batch: number) => number>> = {
  flat: () => () => 1,
  noisy: NOISY,
  sawtooth: (world) => {
    const period = Math.floor(world.between(2, 30))
    return (batch) => 0.2 + (0.8 * (batch % period)) / period
  },
}
export const FAULTY_FAMILIES = [
  'flat',
  'noisy',
  'sawtooth',
  'regrows',
  'often not asked',
  'from the beginning constant',
  'not asked at all',
] as const

/** Some time into the story, one to three indexes release memory and keep their budgets, and another takes the space. */
export function faultyStory(family: (typeof FAULTY_FAMILIES)[number], seed: number): FamilyStory {
  const world = worldOf(seed)
  const holders: FamilyStory['holders'][number][] = []
  const count = 1 + Math.floor(world.chance() * 3)
  const share = world.between(0.08, 0.4)
  const subjects = Array.from({ length: count }, (_, i) => {
    const name = `Holder/${'CFH'[i] ?? i}`
    const rhythm = rhythmOf(world)
    const budget = Math.round(world.scale * world.between(0.7, 1)) + 64 * MIB
    const left = Math.max(64 * MIB, Math.round(budget * world.between(0.1, 0.45)))
    const useOf = (LEFT[family] ?? NOISY)(world)
    const since = Math.ceil(rhythm.count * share)
    // Long after the release it grows again into what it kept.
    const regrows =
      family === 'regrows' ? Math.max(since + 24, Math.floor(rhythm.count * world.between(0.6, 0.8))) : rhythm.count
    let most = 0
    const index = indexOf(name, world, rhythm, (batch, { chance, between }) => {
      if (batch === since - 1) return { usedBytes: budget - STEP, budgetBytes: budget }
      if (batch < since) {
        if (family === 'from the beginning constant') return { usedBytes: budget - STEP, budgetBytes: budget }
        const usedBytes = Math.round((budget - STEP) * between(0.5, 1))
        return { usedBytes, budgetBytes: grantFor(usedBytes, chance) }
      }
      if (batch >= regrows) {
        const part = (batch - regrows) / (rhythm.count - regrows)
        return { usedBytes: Math.round(left + (budget - left) * part * 0.95), budgetBytes: budget }
      }
      const usedBytes = Math.round(left * useOf(batch))
      most = Math.max(most, usedBytes)
      if (family === 'not asked at all') return { usedBytes, budgetBytes: 0 }
      return { usedBytes, budgetBytes: family === 'often not asked' && chance() < 0.4 ? 0 : budget }
    })
    holders.push({
      name,
      sinceTicks: index.batches[since]?.startTicks ?? Number.NaN,
      unusedBytes: family === 'not asked at all' ? most - INITIAL : budget - most,
      betweenTicks: rhythm.everyTicks,
    })
    return index
  })
  return {
    indexes: [growerOf('Grower', world), ...subjects, ...others(world, 1)],
    holders,
    growers: ['Grower'],
  }
}

/** The story as the judge of finished batches gets it. */
export const memoryOfStory = ({ indexes }: FamilyStory): BatchMemory[] =>
  indexes.map(({ name, batches }) => {
    const orNaN = (value: number): number => (value === 0 ? Number.NaN : value)
    return {
      key: `file:story|${name}`,
      source: 'file:story',
      name,
      length: batches.length,
      startTicks: Float64Array.from(batches, ({ startTicks }) => startTicks),
      endTicks: Float64Array.from(batches, ({ endTicks }) => endTicks),
      id: Float64Array.from(batches, (_, i) => i + 1),
      usedBytes: Float64Array.from(batches, ({ usedBytes }) => orNaN(usedBytes)),
      budgetBytes: Float64Array.from(batches, ({ budgetBytes }) => orNaN(budgetBytes)),
      ranDry: new Uint8Array(batches.length).fill(1),
    }
  })
