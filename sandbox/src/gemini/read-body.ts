import type { Call } from '../http/vendor.ts';
import { isObject } from '../request/checks.ts';
import { type JsonBody, readJsonBody } from '../request/json-body.ts';
import { toCamelCase } from './camel-case.ts';

/** Returns the body of a request with its fields converted to camel case; throws `RequestRefused`. */
export async function readCamelBody(call: Call): Promise<JsonBody> {
  const { text, body } = await readJsonBody(call);
  const camel = toCamelCase(body);
  return { text, body: isObject(camel) ? camel : {} };
}
