import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { Format } from "../../Public/js/format.js"
import { wordsFor } from "../../Public/js/strings.js"

describe("Numbers and times", () => {
  const format = new Format("en-GB")

  test("durations have the unit that suits them", () => {
    const cases = [
      [0, "0 ms"], [999, "999 ms"], [3_249, "3.2 s"], [9_960, "9 s"], [59_999, "59 s"], [61_000, "1 min 1 s"],
      [3_660_000, "1 h 1 min"],
    ]
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
    assert.equal(wordsFor(["constructor"]).language, "en")
    assert.equal(wordsFor(["xx"]).cancel.name("Deploy"), "Cancel Deploy")
  })

  test("B71 a visible word is part of the name that it has for a screen reader", () => {
    const words = wordsFor(["en"])
    for (const { visible, name } of [words.cancel, words.abandon, words.details]) {
      assert.ok(name("Deploy").includes(visible))
    }
    assert.ok(words.retry("Deploy").includes("Deploy"))
  })
})
