import type { ServerResponse } from 'node:http';
import { formatWarnings } from './warnings.ts';

const alwaysSent = ['x-content-type-options', 'nosniff', 'cache-control', 'no-store'];

/**
 * The head of one answer, kept as the one list that is sent: Node's `setHeader` looks each header up in an object and
 * copies that when the head leaves, which cost more than all else that is done for an answer.
 */
export class AnswerHead {
  readonly #response: ServerResponse;
  readonly #headers: string[];
  readonly #warnings: string[] = [];

  constructor(response: ServerResponse) {
    this.#response = response;
    this.#headers = [...alwaysSent];
  }

  /** Each name once, in lower case. */
  set(name: string, value: string): void {
    this.#headers.push(name, value);
  }

  /** What the caller is to know beside the answer; once that has begun, nothing more. */
  addWarnings(warnings: readonly string[]): void {
    this.#warnings.push(...warnings);
  }

  send(status: number, contentType: string | null): void {
    if (contentType !== null) this.set('content-type', contentType);
    if (this.#warnings.length > 0) this.set('x-sluice-warning', formatWarnings(this.#warnings));
    this.#response.writeHead(status, this.#headers);
  }
}
