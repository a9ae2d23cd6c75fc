import { z } from 'zod';
import { allKinds, kindOf, kindsWithin } from './kinds/all-kinds.ts';
import type { Kind } from './kinds/kind.ts';

type JsonSchema = Record<string, unknown>;

const toSchema = (schema: z.ZodType): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
};

/** Returns the JSON Schema of the configuration file, generated from the schemas of the console's calls. */
export function describeConfiguration(): JsonSchema {
  const collections = allKinds.filter(({ name, within }) => name !== 'tenant' && !within);
  const tenant = addFields(toSchema(kindOf('tenant').schema), collections);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Sluice configuration',
    type: 'object',
    additionalProperties: false,
    required: ['tenants'],
    properties: { $schema: { type: 'string' }, tenants: { type: 'array', items: tenant } },
  };
}

function addFields(schema: JsonSchema, kinds: readonly Kind[]): JsonSchema {
  const fields = kinds.map((kind) => [kind.collection, describeCollection(kind)] as const);
  return { ...schema, properties: { ...(schema.properties as JsonSchema), ...Object.fromEntries(fields) } };
}

function describeCollection(kind: Kind): JsonSchema {
  if (kind.list) return toSchema(kind.list.schema);
  const entry = addFields(toSchema(kind.schema), kindsWithin(kind.name));
  return kind.isSingle ? entry : { type: 'array', items: entry };
}
