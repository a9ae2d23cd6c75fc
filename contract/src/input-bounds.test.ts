import { expect, it } from 'vitest';
import { z } from 'zod';
import { contract, type RouteRow } from './index.ts';

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: unknown;
  readonly const?: unknown;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly propertyNames?: Schema;
  readonly additionalProperties?: Schema | false;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

const finiteFormats = ['uuid', 'date', 'date-time'];

/** Returns the paths that accept a value of unlimited size. */
function findUnbounded({ allOf = [], ...own }: Schema, path: string): string[] {
  const schema: Schema = Object.assign({}, ...allOf, own);
  if (schema.enum !== undefined || schema.const !== undefined) return [];
  const choices = [schema.anyOf, schema.oneOf].flatMap((branch) => branch ?? []);
  if (choices.length > 0) return choices.flatMap((choice) => findUnbounded(choice, path));
  switch (schema.type) {
    case 'string':
      return schema.maxLength !== undefined || finiteFormats.includes(schema.format ?? '') ? [] : [path];
    case 'array':
      return [
        ...(schema.maxItems === undefined && !schema.prefixItems ? [path] : []),
        ...[...(schema.prefixItems ?? []), ...(schema.items ? [schema.items] : [])].flatMap((item) =>
          findUnbounded(item, `${path}[]`),
        ),
      ];
    case 'object':
      return findUnboundedFields(schema, path);
    case undefined:
      return [path];
    default:
      return [];
  }
}

/** Skips undeclared fields of schemas without `additionalProperties`, since parsing drops such fields. */
function findUnboundedFields(schema: Schema, path: string): string[] {
  const { properties = {}, propertyNames, additionalProperties, maxProperties } = schema;
  const fields = Object.entries(properties).flatMap(([name, field]) =>
    findUnbounded(field, `${path}.${name}`),
  );
  if (!additionalProperties) return fields;
  return [
    ...fields,
    ...(maxProperties === undefined ? [path] : []),
    ...(propertyNames ? findUnbounded(propertyNames, `${path} names`) : []),
    ...findUnbounded(additionalProperties, `${path}.*`),
  ];
}

/** Fields whose entries are parsed later, by the schema of a single row. */
const parsedLater = [
  'grantUserAccesses body.accesses[]',
  'grantTeamAccesses body.accesses[]',
  'createInvitations body.invitations[]',
];

const inputs = Object.values(contract)
  .flatMap((routes) => Object.entries<RouteRow>(routes))
  // Public request bodies are limited by the gateway and not stored as configuration.
  .filter(([, { surface }]) => surface === 'management')
  .flatMap(([name, { request = {} }]) =>
    Object.entries(request).map(([place, schema]) => ({ name: `${name} ${place}`, schema })),
  );

it.each(inputs)('$name bounds each text, list and map', ({ name, schema }) => {
  // safe because this is the subset of JSON Schema that the library generates
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
  const unbounded = findUnbounded(described, name);
  expect(unbounded.filter((path) => !parsedLater.some((known) => path.startsWith(known)))).toEqual([]);
});

it.each<[what: string, schema: z.ZodType, path: string]>([
  ['a text', z.strictObject({ a: z.string() }), 'x.a'],
  ['a list', z.strictObject({ a: z.array(z.number()) }), 'x.a'],
  ['a map', z.strictObject({ a: z.record(z.string().max(1), z.number()) }), 'x.a'],
  ['a text of a list', z.strictObject({ a: z.array(z.string()).max(1) }), 'x.a[]'],
  ['a value of any kind', z.strictObject({ a: z.unknown() }), 'x.a'],
])('findUnbounded finds %s without a maximum size', (_, schema, path) => {
  expect(findUnbounded(z.toJSONSchema(schema, { io: 'input' }) as Schema, 'x')).toEqual([path]);
});
