import { unseal } from '../generation/signature.ts';
import { invalidRequest } from '../request/problem.ts';
import { requiredThoughts } from './item-id.ts';

type Fields = Record<string, unknown>;

/** Throws `RequestRefused` unless the input items are consistent. `isStored`: whether ids alone may reference items. */
export function checkConversation(items: Fields[], isStored: boolean): void {
  checkOutputs(items, 'function_call', 'function call');
  checkOutputs(items, 'custom_tool_call', 'custom tool call');
  const ids = new Set(items.map(({ id }) => id));
  for (const [index, item] of items.entries()) {
    if (item.type === 'item_reference') throw notFound(item.id);
    if (item.type === 'reasoning') checkThoughts(item, items[index + 1], isStored);
    const thoughts = requiredThoughts(item.id);
    if (thoughts !== null && !ids.has(thoughts)) {
      const what = `Item '${item.id}' of type '${item.type ?? 'message'}'`;
      throw invalidInput(`${what} was provided without its required 'reasoning' item: '${thoughts}'.`);
    }
  }
}

function checkOutputs(items: Fields[], type: string, name: string): void {
  const open = new Set<unknown>();
  const known = new Set<unknown>();
  for (const item of items) {
    if (item.type === type) {
      known.add(item.call_id);
      open.add(item.call_id);
    }
    if (item.type !== `${type}_output`) continue;
    if (!known.has(item.call_id))
      throw invalidInput(`No tool call found for ${name} output with call_id ${item.call_id}.`);
    open.delete(item.call_id);
  }
  for (const callId of open) throw invalidInput(`No tool output found for ${name} ${callId}.`);
}

function checkThoughts(
  { id, encrypted_content: encrypted }: Fields,
  next: Fields | undefined,
  isStored: boolean,
) {
  if (typeof encrypted === 'string' && unseal(encrypted) === null) {
    const rule = `The encrypted content for item ${id} could not be verified.`;
    throw invalidRequest('invalid_encrypted_content', null, rule);
  }
  if (typeof encrypted !== 'string' && !(isStored && /^rs_\d+_\d+$/.test(String(id)))) throw notFound(id);
  if (next === undefined || next.role === 'user' || next.type === 'function_call_output')
    throw invalidInput(`Item '${id}' of type 'reasoning' was provided without its required following item.`);
}

function notFound(id: unknown) {
  return invalidInput(
    `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false.`,
  );
}

function invalidInput(message: string) {
  return invalidRequest(null, null, message);
}
