/** Reads each environment variable once, and reports all malformed and unknown ones together. */

const PREFIX = 'QRPRESS_';

/** Stands for each secret in the example files. */
const PLACEHOLDER = /change-?me/i;

/** Invalid settings. The message lists all of them, one per line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(problems: readonly string[]) {
    super(['The configuration is not valid:', ...problems].join('\n  '));
  }
}

/** Converts a variable's text to its value. Throws an error that says what was expected. */
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

  /** Reads a variable without the service's prefix. */
  readVariable<T, Fallback>(variable: string, fallback: Fallback, parse: Parse<T>): T | Fallback {
    const text = this.#environment[variable]?.trim();
    if (text === undefined || text === '') {
      return fallback;
    }
    if (PLACEHOLDER.test(text)) {
      this.#problems.push(`${variable}: still has the placeholder of the example file`);
      return fallback;
    }
    try {
      return parse(text);
    } catch (error) {
      // Without the text itself, which may contain a password.
      this.#problems.push(`${variable}: ${(error as Error).message}`);
      return fallback;
    }
  }

  /** Accepts variables that other code reads: those of `submit`. */
  accept(names: readonly string[]): void {
    for (const name of names) {
      this.#known.add(PREFIX + name);
    }
  }

  /** Records a conflict between settings. */
  refuse(name: string, problem: string): void {
    this.#problems.push(`${PREFIX}${name}: ${problem}`);
  }

  /** @throws ConfigError when a variable was malformed or is unknown */
  finish(): void {
    const unknown = Object.keys(this.#environment)
      .filter((variable) => variable.startsWith(PREFIX) && !this.#known.has(variable))
      .map((variable) => {
        const near = [...this.#known].find((name) => name.startsWith(variable) || variable.startsWith(name));
        return `${variable}: there is no such setting${near === undefined ? '' : `; did you mean ${near}?`}`;
      });
    const problems = [...this.#problems, ...unknown];
    if (problems.length > 0) {
      throw new ConfigError(problems);
    }
  }
}
