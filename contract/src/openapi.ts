import { z } from 'zod';
import { anthropicError, googleError, litellmError, managementError, openaiError } from './errors.ts';
import { scopeOf } from './management-scopes.ts';
import {
  isAboutTenant,
  pathOf,
  type RouteRow,
  type RouteTable,
  readOnlyFieldsOf,
  tenantHeader,
} from './route.ts';
import { scimError } from './routes/scim.ts';

type JsonSchema = Record<string, unknown>;

/** Generates the document from the route table that the server uses. */
export function describeOpenapi(
  nouns: Readonly<Record<string, RouteTable>>,
  version: string,
): { openapi: '3.1.0' } & JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [noun, routes] of Object.entries(nouns)) {
    for (const [name, row] of Object.entries(routes)) {
      const path = pathOf(row);
      paths[path] = { ...paths[path], [row.method.toLowerCase()]: describeOperation(noun, name, row) };
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Sluice', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key or a session token' },
        scim: { type: 'http', scheme: 'bearer', description: 'A SCIM token' },
        managementToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'A management token (`slm_...`) with the scope that the operation lists',
        },
      },
      schemas: {
        ManagementError: toSchema(managementError, 'output'),
        OpenaiError: toSchema(openaiError, 'output'),
        AnthropicError: toSchema(anthropicError, 'output'),
        GoogleError: toSchema(googleError, 'output'),
        LitellmError: toSchema(litellmError, 'output'),
        ScimError: toSchema(scimError, 'output'),
      },
    },
  };
}

function describeOperation(noun: string, name: string, row: RouteRow): JsonSchema {
  const { params, query, body, form } = row.request ?? {};
  return {
    operationId: name,
    tags: [noun],
    summary: row.summary,
    'x-permission': row.permission,
    'x-surface': row.surface,
    security: describeSecurity(row),
    parameters: [
      ...describeParameters('path', params),
      ...describeParameters('query', query),
      ...(row.idempotent ? [idempotencyKeyParameter] : []),
      ...(isAboutTenant(row) ? [tenantParameter] : []),
    ],
    ...(body ? { requestBody: describeBody(row, body) } : {}),
    ...(form
      ? { requestBody: describeContent('application/x-www-form-urlencoded', toSchema(form, 'input')) }
      : {}),
    responses: { [row.status ?? 200]: describeAnswer(row), default: describeRefusal(row) },
  };
}

function describeSecurity(row: RouteRow): JsonSchema[] {
  if (row.permission === 'anyone') return [];
  if (row.surface === 'scim') return [{ scim: [] }, { managementToken: ['scim'] }];
  const scope = scopeOf(row);
  return [{ bearer: [] }, ...(scope === null ? [] : [{ managementToken: [scope] }])];
}

function describeAnswer(row: RouteRow): JsonSchema {
  if (row.status === 501) return describeRefusal(row);
  if (row.status === 204) return { description: 'Success' };
  if (row.status === 302) return { description: 'Redirect' };
  if (row.download) {
    const content = row.download.map((mediaType) => [mediaType, { schema: { type: 'string' } }]);
    return { description: 'A file', content: Object.fromEntries(content) };
  }
  const files = (row.offersFile ?? []).map((mediaType) => [mediaType, { schema: { type: 'string' } }]);
  return {
    description: 'Success',
    content: {
      [mediaTypeOf(row)]: { schema: toSchema(row.response, 'output') },
      ...Object.fromEntries(files),
    },
  };
}

const mediaTypeOf = ({ surface }: RouteRow) =>
  surface === 'scim' ? 'application/scim+json' : 'application/json';

const errorSchemas = { anthropic: 'AnthropicError', google: 'GoogleError', openai: 'OpenaiError' } as const;

function describeRefusal(row: RouteRow): JsonSchema {
  const { surface, dialect, format } = row;
  const ofManagement = format === 'litellm' ? 'LitellmError' : 'ManagementError';
  const ofConsole = surface === 'scim' ? 'ScimError' : ofManagement;
  const name = surface === 'public' ? errorSchemas[dialect ?? 'openai'] : ofConsole;
  return {
    description: 'Error',
    content: { [mediaTypeOf(row)]: { schema: { $ref: `#/components/schemas/${name}` } } },
  };
}

const tenantParameter: JsonSchema = {
  name: tenantHeader,
  in: 'header',
  required: false,
  description:
    "For super administrators: the id or slug of the tenant that the request concerns. Defaults to the caller's own tenant.",
  schema: { type: 'string' },
};

const idempotencyKeyParameter: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any string of up to 255 characters, unique per request. Within 24 hours a repeated request with the same key has no effect and returns the first response, with the header `Idempotent-Replayed: true`. Returns 409 while the first request is still in progress and 422 if the key was used for a different request.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** Response fields that may be sent back without effect are read-only. */
function describeBody(row: RouteRow, body: z.ZodType): JsonSchema {
  const readOnlyFields = readOnlyFieldsOf(row);
  if (readOnlyFields.length === 0) {
    const isRequired = !body.safeParse(undefined).success;
    return describeContent(mediaTypeOf(row), toSchema(body, 'input'), isRequired);
  }
  const answered = propertiesOf(toSchema(row.response, 'output'));
  const readOnly = readOnlyFields.map((name) => [name, { ...answered[name], readOnly: true }]);
  const schema = toSchema(body, 'input');
  const properties = { ...propertiesOf(schema), ...Object.fromEntries(readOnly) };
  return describeContent('application/json', { ...schema, properties });
}

function propertiesOf({ properties }: JsonSchema): Record<string, object> {
  return properties as Record<string, object>; // safe because callers pass only object schemas
}

function describeContent(mediaType: string, schema: JsonSchema, required = true): JsonSchema {
  return { required, content: { [mediaType]: { schema } } };
}

function describeParameters(place: 'path' | 'query', fields: z.ZodObject | undefined): JsonSchema[] {
  return Object.entries(fields?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || !z.safeParse(schema as z.ZodType, undefined).success, // safe because a shape holds zod types
    schema: toSchema(schema as z.ZodType, 'input'), // safe because a shape holds zod types
  }));
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
  });
  return rest;
}
