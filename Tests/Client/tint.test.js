import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { describe, test } from "node:test"
import { contrastWithWhite, namedTints, tintValue } from "../../Public/js/view/tint.js"

describe("Tints", () => {
  test("only known names and hex colours pass", () => {
    assert.equal(tintValue("green"), "var(--tint-green)")
    assert.equal(tintValue("#123"), "rgb(17 34 51)")
    const others = ["", undefined, "hotpink", "#12345", "url(x)", "red;}", "#12345g"]
    for (const tint of others) assert.equal(tintValue(tint), null)
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
