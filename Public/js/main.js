import { Announcer } from "./announcer.js"
import { Connection } from "./connection.js"
import { troubleText } from "./note.js"
import { newKey, socketAddress, subprotocol } from "./protocol.js"
import { Renewal } from "./renewal.js"
import { Store } from "./store.js"
import { wordsFor } from "./strings.js"
import { dialogIsOpen } from "./view/dialog.js"
import { byId, setText } from "./view/dom.js"
import { PageView } from "./view/page.js"
import { askBeforePress, showDetails } from "./view/questions.js"

const now = () => performance.now()
const setTimer = (/** @type {() => void} */ run, /** @type {number} */ ms) => setTimeout(run, ms)
const random = Math.random

const words = wordsFor(navigator.languages)
document.documentElement.lang = words.language

const store = new Store(now(), newKey)
/** @type {PageView} */
const page = new PageView(store, words, { press, cancel, details })
const announcer = new Announcer({ write: (tone, text) => setText(byId(tone), text), now, setTimer })
const connection = new Connection({
  open: () => new WebSocket(socketAddress(location.href, store.replica.position), subprotocol),
  received: (message) => act(store.receive(message, now())),
  lost: () => act(store.connectionLost(now())),
  setTimer,
  clearTimer: (timer) => clearTimeout(timer),
  random,
})
const renewal = new Renewal({
  offer: () => page.offerRenewal(() => location.reload()),
  mayReload: () => !dialogIsOpen() && store.isIdle,
  reload: () => location.reload(),
  setTimer,
  random,
})
/** @type {number | undefined} */
let timer

/** @param {import("./effects.js").Effect[]} effects */
function act(effects) {
  for (const effect of effects) carryOut(effect)
  page.drawSoon()
  schedule()
}

/**
 * @param {import("./effects.js").Effect} effect
 * @returns {void}
 */
function carryOut(effect) {
  switch (effect.do) {
    case "send": return connection.send(effect.message)
    case "settled": return connection.settled()
    case "reconnect": return connection.nudge()
    case "renew": return renewal.begin()
    case "say": return announcer.say("link", "status", words.linkSaid[effect.code])
    case "announce": return announce(effect.announcement)
    case "ask": return void ask(effect.button, effect.why)
  }
}

/** @param {import("./announcements.js").Announcement} announcement */
function announce(announcement) {
  announcer.say(announcement.button, announcement.tone, page.said(announcement))
}

function schedule() {
  clearTimeout(timer)
  const due = Math.min(store.deadline, page.deadline)
  if (due < Infinity) timer = setTimeout(() => act(store.advance(now())), Math.max(0, due - now()))
}

/**
 * @param {string} id
 * @param {string} run
 */
function cancel(id, run) {
  act(store.cancel(id, run, now()))
}

/**
 * @param {string} id
 * @param {MouseEvent} event
 */
function press(id, event) {
  if (!page.isStray(event)) act(store.press(id, now(), event.detail > 1 ? "repeated" : "first"))
}

/**
 * @param {import("./protocol.js").ButtonState} button
 * @param {"confirm" | "unknown"} why
 */
async function ask(button, why) {
  if (await askBeforePress(button, why, words)) act(store.press(button.id, now(), "confirmed"))
}

/** @param {string} id */
async function details(id) {
  const entry = store.replica.entries.get(id)
  if (!entry) return
  const { button } = entry
  if (await showDetails(button, troubleText(button, words), page.ageOf(button), words)) act(store.dismiss(id, now()))
}

/** The time that a frozen or restored tab missed is not in what it shows. */
function resync() {
  act(store.connectionLost(now(), true))
  connection.restart()
}

page.onDrawn = schedule
addEventListener("online", () => connection.nudge())
addEventListener("hashchange", () => page.redraw())
addEventListener("pageshow", (event) => event.persisted && resync())
document.addEventListener("resume", resync)
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && connection.nudge())
connection.open()
act([])
