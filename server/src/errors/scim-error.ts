import { ConsoleError } from './console-error.ts';

/** Error types of SCIM (RFC 7644, 3.12, table 9). */
type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidVers'
  | 'sensitive';

export class ScimError extends ConsoleError {
  readonly scimType: ScimType | undefined;

  constructor(status: number, detail: string, scimType?: ScimType) {
    super(status, detail);
    this.scimType = scimType;
  }
}

export function invalid(scimType: ScimType, detail: string): ScimError {
  return new ScimError(400, detail, scimType);
}

/**
 * Converts a console rejection to a SCIM error. An email or name in use becomes `uniqueness`, an exceeded plan or
 * storage limit a 403, and any other invalid field `invalidValue`.
 */
export function toScimError(error: ConsoleError): ScimError {
  if (error instanceof ScimError) return error;
  const { status, detail, message, retryAfterSeconds } = error;
  const scimType = status === 400 ? 'invalidSyntax' : undefined;
  if (status !== 422) return withRetry(new ScimError(status, message, scimType), retryAfterSeconds);
  const field = typeof detail === 'string' ? null : detail[0]?.loc.at(-1);
  if (field === null || field === 'role_id' || field === 'is_active') return new ScimError(403, message);
  if (message.includes('already exists')) return new ScimError(409, message, 'uniqueness');
  return invalid('invalidValue', message);
}

function withRetry(error: ScimError, retryAfterSeconds: number | undefined): ScimError {
  return retryAfterSeconds === undefined ? error : Object.assign(error, { retryAfterSeconds });
}
