/** Colour as sRGB channels from 0 to 1. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** OKLab in polar form: lightness 0…1, chroma 0…0.4, hue in radians. Equal lightness looks equal in any hue. */
interface Oklch {
  readonly lightness: number
  readonly chroma: number
  readonly hue: number
}

const toLinear = (channel: number): number =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
const toGamma = (channel: number): number =>
  channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055

/** Parses `#rgb`, `#rrggbb` or `rgb(r g b)`; mid grey for anything else, so that a missing token is still drawn. */
export function parseColour(text: string): Rgb {
  const hex = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(text.trim())?.[1]
  if (hex !== undefined) {
    const long = hex.length === 3 ? hex.replace(/./g, '$&$&') : hex
    return [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16) / 255) as unknown as Rgb
  }
  const parts = /^rgba?\(\s*([\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(text.trim())
  return parts === null ? [0.5, 0.5, 0.5] : [Number(parts[1]) / 255, Number(parts[2]) / 255, Number(parts[3]) / 255]
}

export const formatColour = (rgb: Rgb): string =>
  `#${rgb
    .map((channel) =>
      Math.round(Math.max(0, Math.min(1, channel)) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

/** `#rrggbb` and an opacity 0…1 → `#rrggbbaa`. */
export const withAlpha = (colour: string, alpha: number): string =>
  formatColour(parseColour(colour)) +
  Math.round(alpha * 255)
    .toString(16)
    .padStart(2, '0')

/** Converts to OKLab (Björn Ottosson). */
function toOklch(rgb: Rgb): Oklch {
  const [r, g, b] = rgb.map(toLinear) as unknown as Rgb
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, bb),
    hue: Math.atan2(bb, a),
  }
}

function fromOklch({ lightness, chroma, hue }: Oklch): Rgb {
  const a = chroma * Math.cos(hue)
  const b = chroma * Math.sin(hue)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    toGamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    toGamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    toGamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
}

const inGamut = (rgb: Rgb): boolean => rgb.every((channel) => channel >= -0.001 && channel <= 1.001)

/** The hue of `base` at another lightness, with the chroma limited to sRGB. */
function atLightness(base: Oklch, lightness: number): string {
  let chroma = base.chroma
  while (chroma > 0.005 && !inGamut(fromOklch({ ...base, lightness, chroma }))) chroma -= 0.005
  return formatColour(fromOklch({ ...base, lightness, chroma }))
}

/** The hue of a colour at a perceived lightness 0…1; `chroma` 0…1 scales its own chroma. */
export function toned(colour: string, lightness: number, chroma = 1): string {
  const base = toOklch(parseColour(colour))
  return atLightness({ ...base, chroma: base.chroma * chroma }, lightness)
}

/** Colour of an OKLCH lightness, chroma (limited to sRGB) and hue, as `#rrggbb`. */
export const oklchColour = (of: {
  readonly lightness: number
  readonly chroma: number
  readonly hueDegrees: number
}): string => atLightness({ lightness: 0, chroma: of.chroma, hue: (of.hueDegrees / 180) * Math.PI }, of.lightness)

/**
 * Ramp of one hue in `steps` equal steps of lightness, from faint to strong. Stronger is brighter on a dark background
 * and darker on a light one; the faintest step has a contrast of 3:1 with the background (tested in both themes).
 */
export function lightnessRamp(colour: string, theme: 'dark' | 'light', steps: number): string[] {
  const base = toOklch(parseColour(colour))
  const [faint, strong] = theme === 'dark' ? [0.53, 0.81] : [0.625, 0.42]
  return Array.from({ length: steps }, (_, step) => atLightness(base, faint + ((strong - faint) * step) / (steps - 1)))
}

/** WCAG 2 contrast ratio, 1…21. */
export function contrast(a: string, b: string): number {
  const luminance = (colour: string): number => {
    const [red, green, blue] = parseColour(colour).map(toLinear) as unknown as Rgb
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}
