import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { test } from "node:test"

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
