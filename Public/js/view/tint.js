/** The tints that a board may name; the rest of the style sheet knows them as custom properties. */
export const namedTints = new Set([
  "blue", "indigo", "purple", "pink", "red", "orange", "yellow", "green", "mint", "teal", "cyan", "brown", "gray",
])

/**
 * The value of `--tint` for what a board asked for: a known name or a hex colour, everything else is dropped. A hex
 * colour is darkened until white text on it can be read (WCAG 1.4.3, 4.5:1).
 * @param {string | undefined} tint
 * @returns {string | null}
 */
export function tintValue(tint) {
  if (!tint) return null
  const name = tint.toLowerCase()
  if (namedTints.has(name)) return `var(--tint-${name})`
  const channels = parseHex(name)
  return channels && `rgb(${darkened(channels).join(" ")})`
}

/** @param {string} hex `#rgb` or `#rrggbb` */
function parseHex(hex) {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/.exec(hex)?.[1]
  if (!digits) return null
  const wide = digits.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits
  return [0, 2, 4].map((start) => parseInt(wide.slice(start, start + 2), 16))
}

/** @param {number[]} channels 0…255 */
function darkened(channels) {
  let dark = channels
  while (contrastWithWhite(dark) < 4.5) dark = dark.map((channel) => Math.floor(channel * 0.96))
  return dark
}

/**
 * WCAG's contrast ratio, white against a colour.
 * @param {number[]} channels 0…255
 */
export function contrastWithWhite(channels) {
  const [red, green, blue] = channels.map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}
