import { type ErrorCode, errorCodes } from '@sluice/contract';

/** A refusal or failure on the public surface; each protocol renders it in its own shape. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: ErrorCode;
  readonly param: string | null;
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    details: { param?: string; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
    this.code = code;
    this.param = details.param ?? null;
    this.retryAfterMs = details.retryAfterMs;
  }

  get status(): number {
    return errorCodes[this.code].status;
  }
}
