import { z } from 'zod';

interface JsonSchema {
  readonly type?: string | readonly string[] | undefined;
  readonly properties?: Readonly<Record<string, JsonSchema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: JsonSchema | undefined;
  readonly anyOf?: readonly JsonSchema[] | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown;
  readonly default?: unknown;
  readonly readOnly?: boolean | undefined;
  readonly minimum?: number | undefined;
  readonly format?: string | undefined;
}

const jsonSchema: z.ZodType<JsonSchema> = z.lazy(() =>
  z.object({
    type: z.union([z.string(), z.array(z.string())]).optional(),
    properties: z.record(z.string(), jsonSchema).optional(),
    required: z.array(z.string()).optional(),
    items: jsonSchema.optional().catch(undefined),
    anyOf: z.array(jsonSchema).optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    default: z.unknown().optional(),
    readOnly: z.boolean().optional(),
    minimum: z.number().optional(),
    format: z.string().optional(),
  }),
);

const content = z.record(z.string(), z.object({ schema: jsonSchema }));

const operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  'x-permission': z.string(),
  'x-surface': z.enum(['public', 'management', 'scim']),
  parameters: z.array(
    z.object({
      name: z.string(),
      in: z.enum(['path', 'query', 'header']),
      required: z.boolean(),
      description: z.string().optional(),
      schema: jsonSchema,
    }),
  ),
  requestBody: z.object({ required: z.boolean(), content }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content: content.optional() })),
});

const openapi = z.object({ paths: z.record(z.string(), z.record(z.string(), operation)) });

export interface Field {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
}

export interface Parameter extends Field {
  readonly place: 'path' | 'query' | 'header';
  readonly description: string | undefined;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly noun: string;
  readonly summary: string;
  readonly permission: string;
  /** Whether the endpoint is for model clients and not for the console. */
  readonly isForModels: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: Body | null;
  /** HTTP status of a successful response. */
  readonly status: string;
  readonly answer: readonly Field[];
}

interface Body {
  readonly mediaType: string;
  readonly fields: readonly Field[];
  /** Has values for all required fields. */
  readonly example: unknown;
}

export function readOpenapi(document: unknown): Operation[] {
  const { paths } = openapi.parse(document);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => toOperation(path, method, described)),
  );
}

function toOperation(path: string, method: string, described: z.output<typeof operation>): Operation {
  const [status = '200', answer] =
    Object.entries(described.responses).find(([code]) => code !== 'default') ?? [];
  return {
    id: described.operationId,
    method: method.toUpperCase(),
    path,
    noun: described.tags[0] ?? '',
    summary: described.summary,
    permission: described['x-permission'],
    isForModels: described['x-surface'] === 'public',
    parameters: described.parameters.map((parameter) => ({
      name: parameter.name,
      place: parameter.in,
      type: typeOf(parameter.schema),
      isRequired: parameter.required,
      description: parameter.description,
    })),
    body: described.requestBody ? toBody(described.requestBody.content, described.operationId) : null,
    status,
    answer: fieldsOf(Object.values(answer?.content ?? {})[0]?.schema),
  };
}

function toBody(bodies: z.output<typeof content>, operationId: string): Body | null {
  const [found] = Object.entries(bodies);
  if (!found) return null;
  const [mediaType, { schema }] = found;
  return { mediaType, fields: fieldsOf(schema), example: examples[operationId] ?? exampleOf(schema) };
}

const hello = [{ role: 'user', content: 'Hello' }];

/** Valid for the sandbox, so that the first try returns a useful response. */
const examples: Readonly<Record<string, unknown>> = {
  createChatCompletion: { model: 'sandbox-normal', messages: hello },
  createMessage: { model: 'sandbox-normal', max_tokens: 200, messages: hello },
  countMessageTokens: { model: 'sandbox-normal', messages: hello },
  createResponse: { model: 'sandbox-normal', input: 'Hello' },
};

function fieldsOf(schema: JsonSchema | undefined): Field[] {
  const object = schema?.type === 'array' ? schema.items : schema;
  return Object.entries(object?.properties ?? {})
    .filter(([, field]) => !field.readOnly)
    .map(([name, field]) => ({
      name,
      type: typeOf(field),
      isRequired: object?.required?.includes(name) ?? false,
    }));
}

/** Example: `string`, `integer or null`, `list of string`, `"a" or "b"`. */
export function typeOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ');
  if (schema.type === 'array') return `list of ${schema.items ? typeOf(schema.items) : 'anything'}`;
  if (schema.format === 'date-time') return 'time';
  return [schema.type ?? 'anything'].flat().join(' or ');
}

/** Returns a minimal valid value, with defaults, first enum values and empty strings. */
export function exampleOf(schema: JsonSchema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return exampleOf(schema.anyOf[0]);
  if (schema.type === 'object') {
    const needed = Object.entries(schema.properties ?? {}).filter(([name]) =>
      schema.required?.includes(name),
    );
    return Object.fromEntries(needed.map(([name, field]) => [name, exampleOf(field)]));
  }
  if (schema.type === 'array') return [];
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, schema.minimum ?? 1);
  if (schema.type === 'boolean') return false;
  return schema.type === 'null' ? null : '';
}
