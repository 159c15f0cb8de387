import { Backoff } from "./backoff.js"

/** A socket that is not open after this long is given up. ms */
export const openWithin = 10_000
/** After a sleep, an open socket must answer this soon. ms */
export const probeWithin = 2_000

/**
 * @typedef {object} Surroundings everything from outside, so that tests bring their own
 * @property {() => WebSocket} open a new socket to the address of the moment
 * @property {(message: any) => void} received
 * @property {() => void} lost called once for each connection that had been tried
 * @property {(run: () => void, ms: number) => unknown} setTimer
 * @property {(timer: any) => void} clearTimer
 * @property {() => number} random 0…1
 */

/** One socket at a time, opened again and again. Knows JSON, pings and waiting; nothing about buttons. */
export class Connection {
  /** How often to ask whether the other side is there. ms, the server's `hello` may set it */
  pingMs = 15_000
  /** @type {Surroundings} */
  #outside
  #backoff
  /** @type {WebSocket | null} */
  #socket = null
  /** @type {unknown} the one timer: opening, waiting or pinging */
  #timer = null
  #misses = 0
  #waitAtLeast = 0

  /** @param {Surroundings} outside */
  constructor(outside) {
    this.#outside = outside
    this.#backoff = new Backoff(outside.random)
  }

  get isOpen() {
    return this.#socket?.readyState === 1
  }

  /** Opens a socket unless there is one. */
  open() {
    if (this.#socket) return
    const socket = this.#outside.open()
    this.#socket = socket
    socket.onopen = () => this.#opened(socket)
    socket.onmessage = (event) => this.#received(socket, event.data)
    socket.onclose = () => this.#ended(socket)
    this.#after(openWithin, () => this.#ended(socket))
  }

  /** @param {Record<string, unknown>} message */
  send(message) {
    if (this.isOpen) this.#socket?.send(JSON.stringify(message))
  }

  /** The whole state came: the next loss starts with the shortest wait again. */
  settled() {
    this.#backoff.reset()
  }

  /** Someone is here and wants it: no waiting. An open socket has to prove that it lives. */
  nudge() {
    this.#waitAtLeast = 0
    this.#backoff.reset()
    if (!this.#socket) this.open()
    else if (this.isOpen) this.#probe(this.#socket)
  }

  /** What this socket knew is too old to go on with. */
  restart() {
    this.close()
    this.#backoff.reset()
    this.open()
  }

  /** Ends the socket without opening another. */
  close() {
    this.#outside.clearTimer(this.#timer)
    const socket = this.#socket
    this.#socket = null
    if (socket) silence(socket).close()
  }

  /** @param {WebSocket} socket */
  #opened(socket) {
    this.#misses = 0
    this.#after(this.pingMs, () => this.#ping(socket))
  }

  /**
   * @param {WebSocket} socket
   * @param {unknown} data
   */
  #received(socket, data) {
    if (socket !== this.#socket) return
    const message = parse(data)
    // A frame that cannot be read may have been a state: only a fresh start is safe.
    if (!message) return this.#ended(socket)
    this.#misses = 0
    if (message.type === "hello" && message.pingMs > 0) this.pingMs = message.pingMs
    if (message.type === "goodbye") this.#waitAtLeast = Number(message.reconnectAfterMs) || 0
    this.#outside.received(message)
  }

  /** @param {WebSocket} socket */
  #ping(socket) {
    if (this.#misses >= 2) return this.#ended(socket)
    this.#misses += 1
    this.send({ type: "ping" })
    this.#after(this.pingMs, () => this.#ping(socket))
  }

  /** @param {WebSocket} socket */
  #probe(socket) {
    this.#misses = 2
    this.send({ type: "ping" })
    this.#after(probeWithin, () => this.#ping(socket))
  }

  /** @param {WebSocket} socket */
  #ended(socket) {
    if (socket !== this.#socket) return
    this.close()
    const wait = Math.max(this.#backoff.next(), this.#waitAtLeast)
    this.#waitAtLeast = 0
    this.#after(wait, () => this.open())
    this.#outside.lost()
  }

  /**
   * @param {number} ms
   * @param {() => void} run
   */
  #after(ms, run) {
    this.#outside.clearTimer(this.#timer)
    this.#timer = this.#outside.setTimer(run, ms)
  }
}

/** @param {WebSocket} socket that no one listens to any more */
function silence(socket) {
  socket.onopen = socket.onmessage = socket.onclose = null
  return socket
}

/**
 * @param {unknown} data
 * @returns {any} an object with a type, or null
 */
function parse(data) {
  try {
    const message = JSON.parse(String(data))
    return typeof message?.type === "string" ? message : null
  } catch {
    return null
  }
}
