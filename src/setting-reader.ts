/** Variables of the environment, each read once: the malformed and the unknown ones are told together. */

const PREFIX = 'QRPRESS_';

/** Settings that are not as they should be; the message lists them all, a line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(problems: readonly string[]) {
    super(['The configuration is not valid:', ...problems].join('\n  '));
  }
}

/** Turns a variable's text into its value, or throws what was expected. */
export type Parse<T> = (text: string) => T;

export class SettingReader {
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #known = new Set<string>();
  readonly #problems: string[] = [];

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#environment = environment;
  }

  read<T, Fallback>(name: string, fallback: Fallback, parse: Parse<T>): T | Fallback {
    this.#known.add(PREFIX + name);
    return this.readVariable(PREFIX + name, fallback, parse);
  }

  /** A variable that is not this service's alone. */
  readVariable<T, Fallback>(variable: string, fallback: Fallback, parse: Parse<T>): T | Fallback {
    const text = this.#environment[variable]?.trim();
    if (text === undefined || text === '') {
      return fallback;
    }
    try {
      return parse(text);
    } catch (error) {
      // The text itself may hold a password.
      this.#problems.push(`${variable}: ${(error as Error).message}`);
      return fallback;
    }
  }

  /** Knows variables that something else reads: the command line's `submit`. */
  leaveToOthers(names: readonly string[]): void {
    for (const name of names) {
      this.#known.add(PREFIX + name);
    }
  }

  /** Notes what is wrong with a variable beside others. */
  refuse(name: string, problem: string): void {
    this.#problems.push(`${PREFIX}${name}: ${problem}`);
  }

  /** @throws ConfigError when a variable was malformed, or there is one that nothing has read. */
  finish(): void {
    const unknown = Object.keys(this.#environment)
      .filter((variable) => variable.startsWith(PREFIX) && !this.#known.has(variable))
      .map((variable) => `${variable}: there is no such setting`);
    const problems = [...this.#problems, ...unknown];
    if (problems.length > 0) {
      throw new ConfigError(problems);
    }
  }
}
