/** Drawn for this board: lines of width two on a square of 24, without fill. */
export const drawings = new Map(Object.entries({
  bag: "M5.5 8h13l1 12.5h-15zM8.5 10.5V7a3.5 3.5 0 0 1 7 0v3.5",
  bell: "M12 3.5a6 6 0 0 0-6 6V14l-2 3.5h16L18 14V9.5a6 6 0 0 0-6-6zM10 20.5h4",
  bookmark: "M6.5 3.5h11v17l-5.5-4-5.5 4z",
  box: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9",
  calendar: "M4 5.5h16v15H4zM4 10h16M8.5 3v4.5M15.5 3v4.5",
  cart: "M2.5 4H5l2.5 11.5H18l2-8.5H5.7M9 19.7v.1M16.5 19.7v.1",
  check: "M4.5 12.5l5 5 10-11",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7.5V12l3 2",
  close: "M6 6l12 12M18 6L6 18",
  cloud: "M7 18.5a4.5 4.5 0 0 1-.5-9 6 6 0 0 1 11.6 1.3 3.9 3.9 0 0 1-.6 7.7z",
  copy: "M8.5 8.5h12v12h-12zM15.5 8.5v-5h-12v12h5",
  database:
    "M4.5 6c0-1.4 3.4-2.5 7.5-2.5s7.5 1.1 7.5 2.5-3.4 2.5-7.5 2.5S4.5 7.4 4.5 6z"
    + "M4.5 6v12c0 1.4 3.4 2.5 7.5 2.5s7.5-1.1 7.5-2.5V6M4.5 12c0 1.4 3.4 2.5 7.5 2.5s7.5-1.1 7.5-2.5",
  download: "M12 3.5v12M7 10.5l5 5 5-5M4 20h16",
  eye:
    "M2.5 12C5 7.5 8.3 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-5.8 6.5-9.5 6.5S5 16.5 2.5 12z"
    + "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  flag: "M5.5 21V4M5.5 4.5h13l-3 4 3 4h-13",
  gear:
    "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 5.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM18.5 12.0L21.2 12.0"
    + "M16.6 16.6L18.5 18.5M12.0 18.5L12.0 21.2M7.4 16.6L5.5 18.5M5.5 12.0L2.8 12.0M7.4 7.4L5.5 5.5"
    + "M12.0 5.5L12.0 2.8M16.6 7.4L18.5 5.5",
  heart: "M12 20.5C5 15.5 3 12 3 8.8A4.8 4.8 0 0 1 12 6.6a4.8 4.8 0 0 1 9 2.2c0 3.2-2 6.7-9 11.7z",
  home: "M3 11.5L12 4l9 7.5M5.5 9.5v11h13v-11M10 20.5V14.5h4v6",
  lightbulb: "M9.5 20.5h5M9 17.5h6v-2.3a6.2 6.2 0 1 0-6 0z",
  lightning: "M13 2.5L4.5 13.5H11l-1 8 8.5-11H12z",
  list: "M8.5 6h12M8.5 12h12M8.5 18h12M3.8 6v.1M3.8 12v.1M3.8 18v.1",
  lock: "M5.5 11h13v9.5h-13zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  mail: "M3.5 5.5h17v13h-17zM3.5 7l8.5 6 8.5-6",
  minus: "M5 12h14",
  neutral: "M12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9z",
  "paper-plane": "M21 3L3 10.5l7 3 3.5 7.5zM21 3L10 13.5",
  pause: "M8.5 5v14M15.5 5v14",
  pencil: "M4 20l1-4.5L16.5 4l3.5 3.5L8.5 19zM13.5 7l3.5 3.5",
  play: "M7 4.5v15l12.5-7.5z",
  plus: "M12 5v14M5 12h14",
  power: "M12 3v8.5M7 6.3a8 8 0 1 0 10 0",
  question: "M8 8.5a4 4 0 1 1 6 3.5c-1.3.8-2 1.6-2 3M12 19.2v.1",
  refresh: "M20 11A8 8 0 0 0 5.7 7.1L3.5 9.5M3.5 4.5v5h5M4 13a8 8 0 0 0 14.3 3.9l2.2-2.4M20.5 19.5v-5h-5",
  rocket:
    "M9.5 14.5C10.5 8.5 14 4 20.5 3.5 20 10 15.5 13.5 9.5 14.5zM10.3 11.5H6.5l-2 4 5-1M12.5 13.7v3.8l-4 2 1-5"
    + "M15.5 8.5v.1M3.5 20.5l2.5-2.5",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.3 15.3l5.2 5.2",
  server: "M4 4h16v6.5H4zM4 13.5h16V20H4zM7.5 7.2v.1M7.5 16.7v.1",
  shield: "M12 3l7.5 3v5.5c0 4.5-3 7.5-7.5 9.5-4.5-2-7.5-5-7.5-9.5V6z",
  star: "M12.0 3.4L14.4 9.5L20.8 9.8L15.8 13.9L17.5 20.2L12.0 16.7L6.5 20.2L8.2 13.9L3.2 9.8L9.6 9.5z",
  stop: "M6.5 6.5h11v11h-11z",
  sun:
    "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM19.0 12.0L21.2 12.0M16.9 16.9L18.5 18.5M12.0 19.0L12.0 21.2"
    + "M7.1 16.9L5.5 18.5M5.0 12.0L2.8 12.0M7.1 7.1L5.5 5.5M12.0 5.0L12.0 2.8M16.9 7.1L18.5 5.5",
  terminal: "M3.5 4.5h17v15h-17zM7 9l3 3-3 3M12.5 15H17",
  "thumbs-up":
    "M7.5 10.5V20h-4v-9.5z"
    + "M7.5 10.5l3.8-7.5c1.7 0 2.7 1.2 2.3 2.9L12.8 9.5h5.7a2 2 0 0 1 2 2.4l-1.4 6.5a2 2 0 0 1-2 1.6H7.5",
  trash: "M4 6.5h16M9 6.5V3.5h6v3M6 6.5l1 14h10l1-14M10 11v5.5M14 11v5.5",
  upload: "M12 15.5v-12M7 8.5l5-5 5 5M4 20h16",
  warning: "M12 4L2.8 20h18.4zM12 10.5v4M12 17.3v.1",
}))

/** What the icon slot shows for a phase, and what nobody may name as an icon of a button. */
export const spinnerTrack = "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z"
export const spinnerArc = "M12 3a9 9 0 0 1 9 9"
export const dash = "M6 12h12"

/**
 * The drawing of a name in kebab-case or camelCase; a neutral one for a name that this page does not know.
 * @param {string} name
 * @returns {string} path data
 */
export function drawingOf(name) {
  const kebab = name.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase()
  return drawings.get(kebab) ?? /** @type {string} */ (drawings.get("neutral"))
}

/**
 * Whether an icon is a character to show as it is: an emoji or another sign, not a name.
 * @param {string} icon
 */
export function isCharacter(icon) {
  return /^[^\x00-\x7f]/u.test(icon) && [...icon].length <= 12
}
