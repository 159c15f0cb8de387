import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { describe, test } from "node:test"
import { Announcer } from "../../Public/js/announcer.js"
import { Backoff } from "../../Public/js/backoff.js"
import { Format } from "../../Public/js/format.js"
import { Link } from "../../Public/js/link.js"
import { newKey, socketAddress } from "../../Public/js/protocol.js"
import { Renewal } from "../../Public/js/renewal.js"
import { wordsFor } from "../../Public/js/strings.js"
import { drawingOf, drawings, isCharacter } from "../../Public/js/view/icons.js"
import { contrastWithWhite, namedTints, tintValue } from "../../Public/js/view/tint.js"
import { FakeClock } from "./support.js"

describe("The socket's address", () => {
  test("P1 P2 P3 is the page's own, with TLS exactly if the page has it", () => {
    assert.equal(socketAddress("http://board.lan:8080/", null), "ws://board.lan:8080/ws")
    assert.equal(socketAddress("https://example.org/a/b/", null), "wss://example.org/a/b/ws")
    assert.equal(socketAddress("https://example.org/a/b/index.html?x=1#page", null), "wss://example.org/a/b/ws")
    assert.equal(socketAddress("http://[::1]:9000/", null), "ws://[::1]:9000/ws")
  })

  test("says where the last connection got to", () => {
    assert.equal(socketAddress("http://h/", { epoch: "a b", seq: 7 }), "ws://h/ws?epoch=a+b&seq=7")
  })
})

describe("Keys", () => {
  test("need no secure context and are 32 hexadecimal digits", () => {
    const source = { getRandomValues: (bytes) => bytes.fill(10) }
    assert.equal(newKey(source), "0a".repeat(16))
    assert.notEqual(newKey(), newKey())
  })
})

describe("Back-off", () => {
  test("R16 jitter spreads each wait over the upper half of its step", () => {
    assert.equal(new Backoff(() => 0).next(), 100)
    assert.equal(new Backoff(() => 1).next(), 200)
  })
})

describe("The link", () => {
  test("P5 a first connection that does not open in five seconds explains itself", () => {
    const link = new Link(0)
    link.lost(100)
    link.advance(4_999)
    assert.equal(link.unreachable, false)
    assert.equal(link.deadline, 5_000)
    link.advance(5_000)
    assert.equal(link.unreachable, true)
    assert.equal(link.deadline, Infinity)
    link.synced()
    assert.deepEqual([link.unreachable, link.state], [false, "live"])
  })

  test("a quick reconnect is not marked", () => {
    const link = new Link(0)
    link.synced()
    link.lost(1_000)
    assert.equal(link.isLive, false, "but nothing is sent meanwhile")
    link.advance(1_400)
    link.synced()
    assert.equal(link.state, "live")
  })
})

describe("Loading the new page", () => {
  function renewal(mayReload) {
    const clock = new FakeClock()
    const counts = { offers: 0, reloads: 0 }
    const made = new Renewal({
      offer: () => { counts.offers += 1 },
      mayReload,
      reload: () => { counts.reloads += 1 },
      setTimer: clock.setTimer,
      random: () => 0.5,
    })
    return { clock, counts, made }
  }

  test("is offered once, and done by itself after a spread-out moment", () => {
    const { clock, counts, made } = renewal(() => true)
    made.begin()
    made.begin()
    assert.deepEqual(counts, { offers: 1, reloads: 0 })
    clock.advance(1_500)
    assert.deepEqual(counts, { offers: 1, reloads: 1 })
  })

  test("waits while something is typed, open or started", () => {
    let free = false
    const { clock, counts, made } = renewal(() => free)
    made.begin()
    clock.advance(60_000)
    assert.equal(counts.reloads, 0)
    free = true
    clock.advance(1_000)
    assert.equal(counts.reloads, 1)
  })
})

describe("The announcer", () => {
  function announcer() {
    const clock = new FakeClock()
    const written = []
    const made = new Announcer({
      write: (tone, text) => written.push(`${clock.now} ${tone}: ${text}`), now: () => clock.now, setTimer: clock.setTimer,
    })
    return { clock, written, made }
  }

  test("clears first and speaks a tenth of a second later", () => {
    const { clock, written, made } = announcer()
    made.say("deploy", "status", "Deploy: running")
    clock.advance(100)
    assert.deepEqual(written, ["0 status: ", "100 status: Deploy: running"])
  })

  test("M1 says only the last of what happens to one button within half a second", () => {
    const { clock, written, made } = announcer()
    made.say("deploy", "status", "running")
    clock.advance(100)
    made.say("deploy", "status", "stopping")
    made.say("deploy", "alert", "failed")
    clock.advance(1_000)
    assert.deepEqual(written.filter((line) => !line.endsWith(": ")), ["100 status: running", "600 alert: failed"])
  })

  test("buttons do not wait for each other", () => {
    const { clock, written, made } = announcer()
    made.say("a", "status", "A")
    clock.advance(100)
    made.say("b", "status", "B")
    clock.advance(100)
    assert.ok(written.includes("200 status: B"))
  })
})

describe("Numbers and times", () => {
  const format = new Format("en-GB")

  test("durations have the unit that suits them", () => {
    const cases = [[0, "0 ms"], [999, "999 ms"], [3_249, "3.2 s"], [9_960, "9 s"], [59_999, "59 s"], [61_000, "1 min 1 s"], [3_660_000, "1 h 1 min"]]
    for (const [ms, text] of cases) assert.equal(format.duration(ms).replaceAll("\u00a0", " "), text)
  })

  test("are written as the language writes them", () => {
    assert.equal(new Format("de").duration(3_200), "3,2\u00a0s")
    assert.equal(new Format("de").percent(0.45), "45\u00a0%")
  })
})

describe("Strings", () => {
  test("the first language that the page speaks is taken, English if none", () => {
    assert.equal(wordsFor(["xx", "en-AU", "en"]).language, "en")
    assert.equal(wordsFor([]).language, "en")
    assert.equal(wordsFor(["xx"]).words.cancel.name("Deploy"), "Cancel Deploy")
  })

  test("B71 a visible word is part of the name that it has for a screen reader", () => {
    const { words } = wordsFor(["en"])
    for (const { visible, name } of [words.cancel, words.abandon, words.details]) assert.ok(name("Deploy").includes(visible))
    assert.ok(words.retry("Deploy").includes("Deploy"))
  })
})

describe("Icons", () => {
  test("a name may be written in kebab-case or camelCase", () => {
    assert.equal(drawingOf("thumbsUp"), drawingOf("thumbs-up"))
    assert.notEqual(drawingOf("thumbs-up"), drawingOf("neutral"))
  })

  test("an unknown name has the neutral drawing, also one that every object knows", () => {
    for (const name of ["nope", "constructor", "__proto__", "<svg>"]) assert.equal(drawingOf(name), drawings.get("neutral"))
  })

  test("a character is shown as it is, a name is not", () => {
    for (const icon of ["🎉", "👩‍🚀", "★"]) assert.ok(isCharacter(icon), icon)
    for (const icon of ["star", "x", "", "🎉".repeat(50)]) assert.ok(!isCharacter(icon), icon)
  })

  test("every drawing is path data", () => {
    assert.ok(drawings.size >= 30)
    for (const [name, path] of drawings) assert.match(path, /^M[MLHVCSAZmlhvcsaz0-9 .,-]+$/, name)
  })
})

describe("Tints", () => {
  test("only known names and hex colours pass", () => {
    assert.equal(tintValue("green"), "var(--tint-green)")
    assert.equal(tintValue("#123"), "rgb(17 34 51)")
    for (const tint of ["", undefined, "hotpink", "#12345", "url(x)", "red;}", "#12345g"]) assert.equal(tintValue(tint), null)
  })

  test("white text can be read on every tint", () => {
    for (const hex of ["#ffffff", "#ffff00", "#c026d3", "#000000"]) {
      const channels = /^rgb\((\d+) (\d+) (\d+)\)$/.exec(tintValue(hex)).slice(1).map(Number)
      assert.ok(contrastWithWhite(channels) >= 4.5, hex)
    }
    const styles = readFileSync(new URL("../../Public/css/tokens.css", import.meta.url), "utf8")
    for (const name of [...namedTints].map((tint) => `tint-${tint}`).concat("good-fill", "bad-fill", "warn-fill")) {
      const hex = new RegExp(`--${name}: #(..)(..)(..);`).exec(styles)
      assert.ok(hex && contrastWithWhite(hex.slice(1).map((pair) => parseInt(pair, 16))) >= 4.5, name)
    }
  })
})

test("P2 nothing in the page begins with a slash, names another server or holds inline script or style", () => {
  const root = new URL("../../Public/", import.meta.url)
  const files = readdirSync(root, { recursive: true }).filter((name) => /\.(html|css|js|svg)$/.test(name))
  assert.ok(files.length > 20)
  for (const file of files) {
    const text = readFileSync(new URL(file, root), "utf8")
    assert.doesNotMatch(text, /(?:href|src|action)="\/|url\(["']?\/|from "\/|import\("\/[^*]/, file)
    assert.doesNotMatch(text.replaceAll("http://www.w3.org/2000/svg", ""), /https?:\/\//, file)
    assert.doesNotMatch(text, /innerHTML|insertAdjacentHTML|document\.write|eval\(/, file)
    if (file.endsWith(".html")) assert.doesNotMatch(text, /<style|style=|<script(?![^>]*src=)|\son\w+=/, file)
    for (const [, path] of text.matchAll(/(?:from|^import) "([^"]+)"/gm)) assert.match(path, /^\.\.?\/.*\.js$/, file)
  }
})
