/** A discrete-event simulation's clock: processes are generators that wait for time, or for a turn at a station. */

/** What waits, by the time it is due; a binary heap, so that a run of millions of events takes seconds. */
class Agenda {
  #events = [];

  get isEmpty() {
    return this.#events.length === 0;
  }

  add(event) {
    const events = this.#events;
    let at = events.push(event) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(events[at], events[parent])) break;
      [events[at], events[parent]] = [events[parent], events[at]];
      at = parent;
    }
  }

  takeFirst() {
    const events = this.#events;
    const first = events[0];
    const last = events.pop();
    if (events.length > 0) {
      events[0] = last;
      this.#sink();
    }
    return first;
  }

  #sink() {
    const events = this.#events;
    for (let at = 0; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < events.length && isBefore(events[child], events[least])) least = child;
      if (least === at) return;
      [events[at], events[least]] = [events[least], events[at]];
      at = least;
    }
  }
}

function isBefore(one, other) {
  return one.time < other.time || (one.time === other.time && one.order < other.order);
}

/** Serves `servers` processes at a time, the others in the order they came. */
export class Station {
  busySeconds = 0;
  operations = 0;
  peakWaiting = 0;
  /** Those before `#next` have had their turn: to shift the array for each would take as long as it is. */
  #waiting = [];
  #next = 0;

  constructor(name, servers) {
    this.name = name;
    this.servers = servers;
    this.free = servers;
  }

  wait(process) {
    this.#waiting.push(process);
    this.peakWaiting = Math.max(this.peakWaiting, this.#waiting.length - this.#next);
  }

  /** Who waits longest, and waits no more; undefined when nobody does. */
  takeNext() {
    if (this.#next === this.#waiting.length) {
      this.#waiting = [];
      this.#next = 0;
      return undefined;
    }
    return this.#waiting[this.#next++];
  }
}

export class Simulation {
  now = 0;
  #agenda = new Agenda();
  #order = 0;

  /** Starts a process: a generator that yields `wait(…)`, `serve(…)`, `enter(…)`, and calls `leave` itself. */
  start(process) {
    this.#at(this.now, process);
  }

  /** Runs until nothing is left to happen. */
  run() {
    while (!this.#agenda.isEmpty) {
      const { time, process } = this.#agenda.takeFirst();
      this.now = time;
      this.#step(process);
    }
  }

  #step(process) {
    const { value, done } = process.next();
    if (done) return;
    if (value.station === undefined) {
      this.#at(this.now + value.seconds, process);
    } else if (value.station.free > 0) {
      value.station.free -= 1;
      this.#at(this.now, process);
    } else {
      value.station.wait(process);
    }
  }

  leave(station) {
    const next = station.takeNext();
    if (next === undefined) station.free += 1;
    else this.#at(this.now, next);
  }

  /** Operations at a station, one after the other: a turn, and `seconds` of it for each. */
  *serve(station, seconds, operations = 1) {
    yield { station };
    yield { seconds: operations * seconds };
    station.busySeconds += operations * seconds;
    station.operations += operations;
    this.leave(station);
  }

  #at(time, process) {
    this.#agenda.add({ time, order: this.#order++, process });
  }
}
