/** Issues as an error lists them: the first hundred, and the full number. */

import type { Issue } from '../contract/errors.js';
import { LIMITS } from '../contract/limits.js';

export class IssueList {
  readonly #issues: Issue[] = [];
  #count = 0;

  /** All issues that were added. */
  get count(): number {
    return this.#count;
  }

  add(issue: Issue): void {
    this.#count += 1;
    if (this.#issues.length < LIMITS.issues) {
      this.#issues.push(issue);
    }
  }

  /** The members of an error body. */
  report(): { issues: Issue[]; issueCount: number } {
    return { issues: this.#issues, issueCount: this.#count };
  }
}
