import { contract, pathOf, type RouteRow, scopeOf } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { version } from '#platform/version.ts';
import { failingHandlers, type RunningServer, startHttpServer } from '#test/console/console-server.ts';
import { createSystemHandlers } from './routes.ts';

const rows = Object.entries<Record<string, RouteRow>>(contract).flatMap(([noun, routes]) =>
  Object.entries(routes).map(([name, row]) => ({ noun, name, row })),
);

let server: RunningServer;
let answer: unknown;
let document: z.infer<typeof openapi> | undefined;
/** Parses the document once, because parsing takes 30 ms. */
const parseDocument = () => (document ??= openapi.parse(answer));

beforeAll(async () => {
  const system = createSystemHandlers({
    version,
    unreadiness: () => null,
    // safe because this test does not query the database
    system: undefined as never,
    node: 'test',
    metricsToken: null,
    dataDir: '.',
    readNodeMetrics: async () => [],
  });
  server = await startHttpServer({ handlers: { ...failingHandlers(), system } });
  answer = await (await fetch(`${server.origin}/api/v1/openapi.json`)).json();
});
afterAll(() => server.close());

it('docs/openapi.json is the current document', async () => {
  // To update the file, run `npx vitest run openapi -u`.
  const text = `${JSON.stringify(answer, null, 1)}\n`;
  await expect(text).toMatchFileSnapshot('../../../../docs/openapi.json');
});

const typeName = z.enum(['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']);

/**
 * JSON Schema keywords (draft 2020-12) used by the contract. Other keywords fail the test, so that they are reviewed.
 */
const jsonSchema: z.ZodType = z.lazy(() =>
  z.strictObject({
    $ref: z.string().startsWith('#/components/schemas/').optional(),
    type: z.union([typeName, z.array(typeName).min(1)]).optional(),
    enum: z.array(z.json()).min(1).optional(),
    const: z.json().optional(),
    default: z.json().optional(),
    description: z.string().optional(),
    readOnly: z.boolean().optional(),
    format: z.string().optional(),
    pattern: z
      .string()
      .refine((text) => Boolean(new RegExp(text, 'u')))
      .optional(),
    minLength: z.int().min(0).optional(),
    maxLength: z.int().min(0).optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    exclusiveMinimum: z.number().optional(),
    exclusiveMaximum: z.number().optional(),
    multipleOf: z.number().optional(),
    maxProperties: z.int().min(0).optional(),
    minItems: z.int().min(0).optional(),
    maxItems: z.int().min(0).optional(),
    items: jsonSchema.optional(),
    properties: z.record(z.string(), jsonSchema).optional(),
    propertyNames: jsonSchema.optional(),
    additionalProperties: z.union([z.boolean(), jsonSchema]).optional(),
    required: z.array(z.string()).optional(),
    anyOf: z.array(jsonSchema).min(1).optional(),
    oneOf: z.array(jsonSchema).min(1).optional(),
    allOf: z.array(jsonSchema).min(1).optional(),
  }),
);

const content = z.record(z.string().regex(/^[\w.+-]+\/[\w.+-]+$/), z.strictObject({ schema: jsonSchema }));
const parameter = z.strictObject({
  name: z.string().min(1),
  in: z.enum(['path', 'query', 'header']),
  description: z.string().optional(),
  required: z.boolean(),
  schema: jsonSchema,
});
const operation = z.strictObject({
  operationId: z.string().min(1),
  tags: z.array(z.string()).min(1),
  summary: z.string().min(1),
  'x-permission': z.string(),
  'x-surface': z.enum(['public', 'management', 'scim']),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(parameter),
  requestBody: z.strictObject({ required: z.boolean(), content }).optional(),
  responses: z.record(
    z.string().regex(/^([1-5]\d\d|default)$/),
    z.strictObject({ description: z.string(), content: content.optional() }),
  ),
});
const openapi = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({
    title: z.string().min(1),
    version: z.string().min(1),
    license: z.strictObject({ name: z.string(), identifier: z.string() }),
  }),
  paths: z.record(
    z.string().startsWith('/'),
    z.partialRecord(z.enum(['get', 'post', 'put', 'patch', 'delete']), operation),
  ),
  components: z.strictObject({
    securitySchemes: z.record(z.string(), z.looseObject({ type: z.enum(['http', 'apiKey']) })),
    schemas: z.record(z.string(), jsonSchema),
  }),
});

describe('the OpenAPI document', () => {
  it('the OpenAPI document is valid OpenAPI 3.1 with valid JSON Schema', () => {
    expect(openapi.safeParse(answer).error?.issues ?? []).toEqual([]);
  });

  it('the OpenAPI document has one operation for each contract row, and no other', () => {
    const told = Object.entries(parseDocument().paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
    );
    const declared = rows.map(({ name, row }) => `${row.method.toLowerCase()} ${pathOf(row)} ${name}`);
    expect(told.sort()).toEqual(declared.sort());
  });

  it.each(rows)('the OpenAPI document describes request and response of $name', ({ noun, name, row }) => {
    const { paths, components } = parseDocument();
    const method = z.enum(['get', 'post', 'put', 'patch', 'delete']).parse(row.method.toLowerCase());
    const told = paths[pathOf(row)]?.[method];
    expect(told).toMatchObject({ operationId: name, tags: [noun], 'x-permission': row.permission });
    const { params, query, body, form } = row.request ?? {};
    const inPath = told?.parameters.filter((one) => one.in === 'path');
    expect(inPath?.map((one) => [one.name, one.required])).toEqual(
      Object.keys(params?.shape ?? {}).map((field) => [field, true]),
    );
    const inQuery = told?.parameters.filter((one) => one.in === 'query').map((one) => one.name);
    expect(inQuery).toEqual(Object.keys(query?.shape ?? {}));
    const jsonType = row.surface === 'scim' ? 'application/scim+json' : 'application/json';
    const bodyType = form ? 'application/x-www-form-urlencoded' : jsonType;
    expect(Object.keys(told?.requestBody?.content ?? {})).toEqual(body || form ? [bodyType] : []);
    expect(Object.keys(told?.responses ?? {})).toEqual([String(row.status ?? 200), 'default']);
    for (const scheme of told?.security.flatMap((one) => Object.keys(one)) ?? []) {
      expect(components.securitySchemes).toHaveProperty(scheme);
    }
    const schemes = [row.permission !== 'anyone', scopeOf(row) !== null].filter(Boolean);
    expect(told?.security).toHaveLength(schemes.length);
  });

  it('the OpenAPI document marks fields of updateTeam that can only be sent back unchanged as readOnly', () => {
    const body = z.looseObject({
      properties: z.record(z.string(), z.looseObject({ readOnly: z.boolean().optional() })),
    });
    const told = parseDocument().paths['/api/v1/admin/teams/{id}']?.put;
    const { properties } = body.parse(told?.requestBody?.content['application/json']?.schema);
    const readOnly = Object.keys(properties).filter((name) => properties[name]?.readOnly);
    expect(readOnly).toEqual([
      'id',
      'created_at',
      'member_count',
      'admin_count',
      'model_count',
      'members_monthly_quota',
      'top_user',
      'spend_usd_today',
      'spend_usd_month',
      'spend_usd_last_month',
      'members',
    ]);
  });

  it('the OpenAPI document has no dangling references', () => {
    const { components } = parseDocument();
    const references = [...JSON.stringify(answer).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    expect(references.length).toBeGreaterThan(0);
    for (const [, name] of references) expect(components.schemas).toHaveProperty(name ?? '');
  });
});
