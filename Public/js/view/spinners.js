/** @type {Set<Element>} turning, but not yet in step */
const joining = new Set()

/**
 * All spinners of the page turn together. Asking for an animation makes the browser work out the styles, so all that
 * appear in one drawing are asked at once, behind it.
 * @param {Element} spinner
 */
export function joinTheClock(spinner) {
  if (joining.size === 0) queueMicrotask(fallIntoStep)
  joining.add(spinner)
}

function fallIntoStep() {
  const animations = [...joining].flatMap((spinner) => spinner.getAnimations())
  joining.clear()
  for (const animation of animations) animation.startTime = 0
}
