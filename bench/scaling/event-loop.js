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
  waiting = [];
  peakWaiting = 0;

  constructor(name, servers) {
    this.name = name;
    this.servers = servers;
    this.free = servers;
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
      value.station.waiting.push(process);
      value.station.peakWaiting = Math.max(value.station.peakWaiting, value.station.waiting.length);
    }
  }

  leave(station) {
    const next = station.waiting.shift();
    if (next === undefined) station.free += 1;
    else this.#at(this.now, next);
  }

  /** One operation at a station: a turn, and so long of it. */
  *serve(station, seconds) {
    yield { station };
    yield { seconds };
    station.busySeconds += seconds;
    station.operations += 1;
    this.leave(station);
  }

  #at(time, process) {
    this.#agenda.add({ time, order: this.#order++, process });
  }
}
