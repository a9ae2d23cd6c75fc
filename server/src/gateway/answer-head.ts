import type { ServerResponse } from 'node:http';

const lengthMax = 1_000;

/** Replaces characters that a header cannot contain, such as those of a model name that is not ASCII. */
function toHeaderText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?');
}

function formatWarnings(warnings: readonly string[]): string {
  let text = '';
  for (const warning of warnings) {
    const item = toHeaderText(warning).replaceAll(',', ';');
    const longer = text === '' ? item : `${text}, ${item}`;
    if (longer.length > lengthMax) return `${text.slice(0, lengthMax)}, ...`;
    text = longer;
  }
  return text;
}

const isInvalidCharacter = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_CHAR';

/** Initial capacity, sufficient for the headers of a typical response, so that the array does not have to grow. */
const usualRoom = 40;

const noWarnings: readonly string[] = [];

/**
 * Response head, stored as the flat list that is sent. Node's `setHeader` looks up each header in an object and
 * copies the object when sending, which was the most expensive part of a response.
 */
export class AnswerHead {
  readonly #response: ServerResponse;
  readonly #headers = new Array<string>(usualRoom);
  #length = 0;
  #warnings = noWarnings;

  constructor(response: ServerResponse) {
    this.#response = response;
    this.set('x-content-type-options', 'nosniff');
    this.set('cache-control', 'no-store');
  }

  /**
   * Sets a header. Each name may be set once, in lower case. Characters that a header cannot contain are sent as
   * question marks.
   */
  set(name: string, value: string): void {
    this.#headers[this.#length++] = name;
    this.#headers[this.#length++] = value;
  }

  /** Has no effect once the response has started. */
  addWarnings(warnings: readonly string[]): void {
    if (warnings.length > 0) this.#warnings = this.#warnings.concat(warnings);
  }

  send(status: number, contentType: string | null): void {
    if (contentType !== null) this.set('content-type', contentType);
    if (this.#warnings.length > 0) this.set('x-sluice-warning', formatWarnings(this.#warnings));
    this.#headers.length = this.#length;
    try {
      this.#response.writeHead(status, this.#headers);
    } catch (error) {
      if (!isInvalidCharacter(error)) throw error;
      // Node checks the values anyway, so they are only replaced after it has rejected one.
      this.#response.writeHead(status, this.#headers.map(toHeaderText));
    }
  }
}
