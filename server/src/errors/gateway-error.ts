import { type ContextOverflow, type ErrorCode, errorCodes, type NamedTask } from '@sluice/contract';

interface ErrorDetails {
  param?: string | null;
  retryAfterMs?: number | undefined;
  /** HTTP status that replaces the status of the error code with that of the provider. */
  status?: number;
  providerCode?: string | null;
  /** Sizes of a prompt that exceeds the model's context, if provider and caller use different protocols. */
  overflow?: ContextOverflow | undefined;
  /** Tasks of the caller, if the request must name one. */
  tasks?: readonly NamedTask[];
  cause?: unknown;
}

/**
 * Maximum length of an error message. Messages repeat texts of clients and providers, which can be as long as a body.
 */
const wordsMax = 4_000;

function cut(words: string): string {
  return words.length > wordsMax ? `${words.slice(0, wordsMax)}...` : words;
}

/** Thrown for a rejected or failed public request. Each protocol has its own error format. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly param: string | null;
  readonly providerCode: string | null;
  readonly retryAfterMs: number | undefined;
  readonly overflow: ContextOverflow | undefined;
  readonly tasks: readonly NamedTask[] | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(cut(message), { cause: details.cause });
    this.code = code;
    this.status = details.status ?? errorCodes[code].status;
    this.param = details.param ? cut(details.param) : null;
    this.providerCode = details.providerCode ?? null;
    this.retryAfterMs = details.retryAfterMs;
    this.overflow = details.overflow;
    this.tasks = details.tasks?.map(({ id, title }) => ({ id, title }));
  }
}
