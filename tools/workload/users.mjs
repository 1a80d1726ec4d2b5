// @ts-check
/** Random users, the same for a given seed, number and revision. About 1.3 KB each. */
import { mix, pick, randomOf, whole } from './random.mjs'

/** @typedef {import('./random.mjs').Random} Random */

const FIRST =
  'Ada Ben Chloe Dmitri Elif Farid Greta Hiro Inês Jonas Kwame Leila Mateo Noor Olga Pia Quinn Rosa Sven Tala Uma Viktor Wen Ximena Yusuf Zoë'.split(
    ' ',
  )
const LAST =
  'Adler Bianchi Costa Duarte Eriksen Fischer García Haddad Ivanova Jansen Kowalski Larsen Moreau Novak Okafor Petrov Quispe Rossi Silva Tanaka Ueda Virtanen Weber Xu Yılmaz Zhang'.split(
    ' ',
  )
const WORDS =
  'amber anchor autumn basket bridge candle carbon cedar cobalt copper coral cotton delta ember falcon fern fiddle forest garden glacier granite harbor hazel indigo island ivory jasmine juniper lantern lemon linen magnet maple marble meadow mirror nectar oak ocean olive orchard paper pebble pepper pine plaza prairie quartz raven river saffron salt shadow silver summit thistle timber velvet violet walnut willow winter'.split(
    ' ',
  )
const INTERESTS =
  'archery astronomy baking chess climbing cycling drawing fencing fishing gardening hiking jazz knitting opera photography pottery reading rowing running sailing skiing swimming theatre yoga'.split(
    ' ',
  )
const PRODUCTS =
  'backpack bicycle blender camera chair desk drill headphones helmet kettle keyboard lamp laptop monitor notebook pan pen phone printer racket shoes speaker tent watch'.split(
    ' ',
  )

/** City, country, latitude, longitude. @type {readonly (readonly [string, string, number, number])[]} */
const CITIES = [
  ['Accra', 'Ghana', 5.56, -0.2],
  ['Athens', 'Greece', 37.98, 23.73],
  ['Berlin', 'Germany', 52.52, 13.4],
  ['Bogotá', 'Colombia', 4.71, -74.07],
  ['Boston', 'United States', 42.36, -71.06],
  ['Cairo', 'Egypt', 30.04, 31.24],
  ['Chicago', 'United States', 41.88, -87.63],
  ['Hanoi', 'Vietnam', 21.03, 105.85],
  ['Hamburg', 'Germany', 53.55, 9.99],
  ['Istanbul', 'Türkiye', 41.01, 28.98],
  ['Kraków', 'Poland', 50.06, 19.94],
  ['Lagos', 'Nigeria', 6.52, 3.38],
  ['Lisbon', 'Portugal', 38.72, -9.14],
  ['London', 'United Kingdom', 51.51, -0.13],
  ['Lyon', 'France', 45.76, 4.84],
  ['Madrid', 'Spain', 40.42, -3.7],
  ['Melbourne', 'Australia', -37.81, 144.96],
  ['Montréal', 'Canada', 45.5, -73.57],
  ['Mumbai', 'India', 19.08, 72.88],
  ['Nairobi', 'Kenya', -1.29, 36.82],
  ['Osaka', 'Japan', 34.69, 135.5],
  ['Oslo', 'Norway', 59.91, 10.75],
  ['Porto', 'Portugal', 41.15, -8.61],
  ['Quito', 'Ecuador', -0.18, -78.47],
  ['Rome', 'Italy', 41.9, 12.5],
  ['Santiago', 'Chile', -33.45, -70.67],
  ['Seoul', 'South Korea', 37.57, 126.98],
  ['Stockholm', 'Sweden', 59.33, 18.07],
  ['Tel Aviv', 'Israel', 32.09, 34.78],
  ['Tokyo', 'Japan', 35.68, 139.69],
]

const DAY_MS = 86_400_000
/** Reference day from which all times in documents are counted back. */
const TODAY = Date.UTC(2026, 0, 1)

/**
 * @param {number} seed
 * @param {number} n which user
 * @param {number} revision 0 when new, then one more with each change
 * @returns {Record<string, unknown>} the document, without its metadata
 */
export function userDocument(seed, n, revision) {
  const fixed = randomOf(mix(seed, n))
  const first = pick(fixed, FIRST)
  const last = pick(fixed, LAST)
  const [city, country, latitude, longitude] = pick(fixed, CITIES)
  const changing = randomOf(mix(seed, n, revision + 1))
  const purchases = Array.from({ length: whole(changing, 1, 6) }, () => purchase(changing))
  return {
    Name: `${first} ${last}`,
    Email: `${first}.${last}.${n}@example.com`.toLowerCase(),
    Birthday: day(TODAY - whole(fixed, 18 * 365, 80 * 365) * DAY_MS),
    Address: {
      Street: `${whole(fixed, 1, 240)} ${capital(pick(fixed, WORDS))} Street`,
      PostalCode: String(whole(fixed, 10_000, 99_999)),
      City: city,
      Country: country,
      Location: {
        Latitude: round(latitude + (fixed() - 0.5) / 2, 5),
        Longitude: round(longitude + (fixed() - 0.5) / 2, 5),
      },
    },
    Interests: [...new Set([pick(fixed, INTERESTS), pick(fixed, INTERESTS), pick(fixed, INTERESTS)])],
    About: text(changing, whole(changing, 40, 90)),
    Purchases: purchases,
    Spent: round(
      purchases.reduce((sum, { Price, Quantity }) => sum + Price * Quantity, 0),
      2,
    ),
    Visits: revision + whole(changing, 0, 40),
    LastSeen: new Date(TODAY - whole(changing, 0, 90 * DAY_MS)).toISOString(),
    Revision: revision,
  }
}

/**
 * Creates a user's heart rate, with one entry per minute.
 * @param {number} seed
 * @param {number} n which user
 * @param {number} start milliseconds since 1970
 * @param {number} count of entries
 * @returns {import('../ravendb/client.mjs').Append[]}
 */
export function heartRate(seed, n, start, count) {
  const random = randomOf(mix(seed, n, 77))
  let rate = whole(random, 55, 90)
  return Array.from({ length: count }, (_, i) => {
    rate = Math.min(190, Math.max(45, rate + whole(random, -6, 6)))
    return { Timestamp: new Date(start + i * 60_000).toISOString(), Values: [rate], Tag: 'watches/1' }
  })
}

/** @param {Random} random */
function purchase(random) {
  return {
    Product: pick(random, PRODUCTS),
    Price: round(5 + random() * 400, 2),
    Quantity: whole(random, 1, 4),
    At: day(TODAY - whole(random, 0, 700) * DAY_MS),
  }
}

/**
 * @param {Random} random
 * @param {number} words
 * @returns {string}
 */
function text(random, words) {
  return `${capital(Array.from({ length: words }, () => pick(random, WORDS)).join(' '))}.`
}

/** @param {string} word */
function capital(word) {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/**
 * @param {number} value
 * @param {number} digits
 */
function round(value, digits) {
  return Number(value.toFixed(digits))
}

/** @param {number} time */
function day(time) {
  return new Date(time).toISOString().slice(0, 10)
}
