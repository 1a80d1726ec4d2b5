/** Parses .NET's `[-][d.]hh:mm:ss[.fffffff]` to ms (exact to the tick for 10,000 years); NaN for others. */
export function parseTimeSpanMs(text: string): number {
  const match = /^(-?)(?:(\d+)\.)?(\d{1,2}):(\d\d):(\d\d)(?:\.(\d{1,7}))?$/.exec(text)
  if (match === null) return Number.NaN
  const [, sign, days = '0', hours, minutes, seconds, fraction = ''] = match
  const whole = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)
  const ms = whole * 1000 + Number(fraction.padEnd(7, '0')) / 10_000
  return sign === '-' ? -ms : ms
}
