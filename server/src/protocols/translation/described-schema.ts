import type { JsonSchema } from '#json/json-schema.ts';
import type { ResponseFormat } from '../canonical/request.ts';

/** Returns the schema of a format with the format's description, for protocols that have no separate field for it. */
export function describeSchema({
  schema,
  description,
}: Extract<ResponseFormat, { kind: 'json-schema' }>): JsonSchema {
  return description === undefined || 'description' in schema ? schema : { ...schema, description };
}
