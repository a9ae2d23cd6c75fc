import {
  anyBoolean,
  anyString,
  arrayOf,
  type Check,
  isObject,
  mapOf,
  matching,
  numberWithin,
  stringOr,
} from '../request/checks.ts';
import { invalidRequest } from '../request/problem.ts';

const anything: Check = () => undefined;
// Counts are 64-bit integers, which JSON may represent as strings.
const count = stringOr(numberWithin(0, Infinity));
const number = numberWithin(-Infinity, Infinity);
const deeper: Check = (value, path) => schema(value, path);

const keywords: Record<string, Check> = {
  type: matching(
    /^(string|number|integer|boolean|array|object|null|type_unspecified)$/i,
    'there is no such type',
  ),
  format: anyString,
  title: anyString,
  description: anyString,
  nullable: anyBoolean,
  enum: arrayOf(anyString),
  ...{ minItems: count, maxItems: count, minProperties: count, maxProperties: count },
  ...{ minLength: count, maxLength: count, minimum: number, maximum: number },
  properties: mapOf(deeper),
  required: arrayOf(anyString),
  pattern: anyString,
  example: anything,
  anyOf: arrayOf(deeper),
  propertyOrdering: arrayOf(anyString),
  default: anything,
  items: deeper,
};

/** Subset of OpenAPI schemas that Google accepts as `parameters` and `responseSchema`. */
export const schema: Check = (value, path) => {
  if (!isObject(value)) throw invalidRequest('invalid_type', path, 'a schema is needed');
  for (const [name, inner] of Object.entries(value)) {
    const check = Object.hasOwn(keywords, name) ? keywords[name] : undefined;
    if (!check) throw invalidRequest('unknown_parameter', `${path}.${name}`, 'there is no such keyword');
    check(inner, `${path}.${name}`);
  }
  const type = String(value.type).toUpperCase();
  if (type === 'ARRAY' && !value.items) throw invalidRequest(null, `${path}.items`, 'missing field');
  if (Array.isArray(value.enum) && type !== 'STRING')
    throw invalidRequest(null, `${path}.enum`, 'only allowed for STRING type');
};
