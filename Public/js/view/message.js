import { make } from "./dom.js"

/**
 * What stands in place of a board: that there is none yet, and why.
 * @param {{title?: string, body: string, code?: string}} what
 */
export function message({ title, body, code }) {
  const parts = [
    ...(title ? [make("h2", {}, title)] : []),
    make("p", {}, body),
    ...(code ? [make("code", {}, code)] : []),
  ]
  return make("div", { class: "message" }, ...parts)
}
