import type { WireCase } from './wire-cases.ts';

/** Fields whose values are part of the shape, since they determine how the other fields are read. */
const discriminating = new Set([
  ...[
    'type',
    'role',
    'object',
    'status',
    'phase',
    'mode',
    'error_type',
    'blockReason',
    'outcome',
    'language',
  ],
  ...['finish_reason', 'native_finish_reason', 'finishReason', 'stop_reason', 'done_reason', 'tool_choice'],
  ...['modality', 'toolType', 'event', 'effort', 'reasoning_effort', '@type'],
]);
const freeObjects = new Set([
  ...['arguments', 'args', 'input', 'metadata', 'labels', 'headers', 'logit_bias', 'environment'],
]);
const schemas = new Set([
  ...['parameters', 'input_schema', 'schema', 'parametersJsonSchema', 'json_schema'],
  ...['responseSchema', 'responseJsonSchema', 'response_schema', 'response_json_schema', 'format'],
]);
const namedSchemas = new Set(['properties', '$defs', 'definitions']);

/**
 * Returns the shapes of a recorded exchange: paths (without indices) with JSON types, values of discriminating
 * fields, and the order of event kinds. User-defined names (arguments, schemas, labels) are folded.
 */
export function listShapes({ endpoint, request, response }: WireCase): Set<string> {
  const shapes = new Set<string>();
  if (request?.body !== undefined) walk(request.body, `${endpoint} request`, '', shapes);
  shapes.add(`${endpoint} response status ${response.status}`);
  if (response.body !== undefined) walk(response.body, `${endpoint} response`, '', shapes);
  for (const line of response.ndjson ?? []) walk(line, `${endpoint} line`, '', shapes);
  let before = 'nothing';
  for (const event of response.sse ?? []) {
    listEvent(event, endpoint, shapes);
    const kind = nameKind(event);
    shapes.add(`${endpoint} ${kind} after ${before}`);
    before = kind;
  }
  return shapes;
}

export function listEvent(event: string, endpoint: string, shapes = new Set<string>()): Set<string> {
  const lines = event.split('\n');
  for (const line of lines.filter((one) => !one.startsWith('data:')))
    shapes.add(`${endpoint} ${nameLine(line)}`);
  const data = lines.flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trim()] : [])).join('\n');
  const value = data.startsWith('{') || data.startsWith('[') ? parse(data) : undefined;
  if (value !== undefined) walk(value, `${endpoint} event`, '', shapes);
  else if (data !== '') shapes.add(`${endpoint} data ${data === '[DONE]' ? data : 'of no JSON'}`);
  return shapes;
}

/**
 * Returns the kind of an event: its type together with the type of a started or completed item, or the fields of the
 * first delta.
 */
function nameKind(event: string): string {
  const [type, item] = Array.from(event.matchAll(/"type": ?"([\w.-]+)"/g), ([, name]) => name);
  if (type && !event.includes('"choices"')) return type.includes('output_item') ? `${type} ${item}` : type;
  const delta = /"delta": ?\{("\w+")/.exec(event)?.[1] ?? 'other';
  return /"finish_reason": ?"/.test(event) ? 'end' : delta;
}

const nameLine = (line: string) =>
  line.startsWith(':') ? 'comment' : line.startsWith('event:') ? line : line.replace(/:.*/, '');

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function walk(value: unknown, path: string, key: string, shapes: Set<string>): void {
  if (Array.isArray(value)) {
    shapes.add(`${path} array`);
    for (const item of value) walk(item, `${path}[]`, key, shapes);
  } else if (typeof value === 'object' && value !== null) {
    shapes.add(`${path} object`);
    if (freeObjects.has(key) || /\.function_?response\.response$/i.test(path)) return;
    if (schemas.has(key) && !('format' in value)) walkSchema(value, path, shapes);
    else for (const [name, item] of Object.entries(value)) walk(item, `${path}.${name}`, name, shapes);
  } else {
    const isTold = typeof value === 'string' && discriminating.has(key);
    shapes.add(`${path} ${isTold ? `= ${value}` : value === null ? 'null' : typeof value}`);
  }
}

function walkSchema(schema: unknown, path: string, shapes: Set<string>): void {
  if (Array.isArray(schema)) for (const item of schema) walkSchema(item, path, shapes);
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return;
  for (const [keyword, value] of Object.entries(schema)) {
    const type = Array.isArray(value) ? 'array' : typeof value;
    shapes.add(`${path} keyword ${keyword} ${keyword === 'type' && type === 'string' ? `= ${value}` : type}`);
    if (keyword === 'enum' || keyword === 'required' || keyword === 'default') continue;
    if (namedSchemas.has(keyword)) walkSchema(Object.values(value ?? {}), path, shapes);
    else walkSchema(value, path, shapes);
  }
}
