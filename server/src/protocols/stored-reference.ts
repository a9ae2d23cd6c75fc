/** Fields by which a request names what the provider keeps for the account of the key: answers, files, caches, prompts. */
const topLevelNames = ['previous_response_id', 'conversation', 'prompt', 'container', 'cachedContent'];
const nestedNames: ReadonlySet<string> = new Set([
  'file_id',
  'file_ids',
  'vector_store_ids',
  'container',
  'fileUri',
  'file_uri',
]);

/**
 * The first field of a parsed body that names something which the provider keeps, `null` when none does. Under a key
 * that tenants share, such a name could reach what another tenant has left there.
 */
export function findStoredReference(body: Readonly<Record<string, unknown>>): string | null {
  const named = topLevelNames.find((name) => body[name] != null);
  return named ?? findNested([body.input, body.messages, body.contents, body.tools]);
}

/** What a model or a tool said, and schemas: names in there are nobody's reference. */
const foreignNames: ReadonlySet<string> = new Set([
  ...['input', 'args', 'arguments', 'response', 'output'],
  ...['parameters', 'parametersJsonSchema', 'input_schema', 'schema', 'json_schema'],
]);

function findNested(roots: readonly unknown[]): string | null {
  const open = [...roots];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    if ('type' in value && value.type === 'item_reference') return 'item_reference';
    for (const [name, held] of Object.entries(value)) {
      if (nestedNames.has(name) && (typeof held === 'string' || Array.isArray(held))) return name;
      if (typeof held === 'object' && !foreignNames.has(name)) open.push(held);
    }
  }
  return null;
}
