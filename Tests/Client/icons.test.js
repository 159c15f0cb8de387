import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { drawingOf, drawings, isCharacter } from "../../Public/js/view/icons.js"

describe("Icons", () => {
  test("a name may be written in kebab-case or camelCase", () => {
    assert.equal(drawingOf("thumbsUp"), drawingOf("thumbs-up"))
    assert.notEqual(drawingOf("thumbs-up"), drawingOf("neutral"))
  })

  test("an unknown name has the neutral drawing, also one that every object knows", () => {
    const neutral = drawings.get("neutral")
    for (const name of ["nope", "constructor", "__proto__", "<svg>"]) assert.equal(drawingOf(name), neutral)
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
