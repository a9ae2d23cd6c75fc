import { canonicalJson, unseal } from '../generation/signature.ts';
import { isObject, objectsIn } from '../request/checks.ts';
import { invalidRequest } from '../request/problem.ts';

type Fields = Record<string, unknown>;

// Values that Google accepts instead of a signature, for calls made by another model.
const placeholders = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'];

/** Throws `RequestRefused` unless calls and results are in the order that Google requires. */
export function checkConversation(contents: Fields[], needsSignatures: boolean): void {
  let open: string[] = [];
  for (const [index, { role, parts }] of contents.entries()) {
    const results = namesOf(parts, 'functionResponse');
    if (results.length !== open.length) throw unpaired(open.length === 0);
    const foreign = results.find((name, at) => name !== open[at]);
    if (foreign !== undefined)
      throw invalidRequest(null, null, `There was no call of the function '${foreign}'.`);
    open = namesOf(parts, 'functionCall');
    if (open.length > 0 && role !== 'model')
      throw invalidRequest(null, `contents[${index}]`, "function calls are only allowed in the role 'model'");
  }
  if (open.length > 0) throw unpaired(false);
  checkSignatures(contents, needsSignatures);
}

function namesOf(parts: unknown, field: 'functionCall' | 'functionResponse'): string[] {
  const named = objectsIn(parts).map((part) => part[field]);
  return named
    .filter(isObject)
    .map(({ name }) => String(name))
    .sort();
}

function unpaired(isAlone: boolean) {
  const rule = isAlone
    ? 'Please ensure that function response turn comes immediately after a function call turn.'
    : 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';
  return invalidRequest(null, null, rule);
}

/**
 * Throws `RequestRefused` if the signature of a call is invalid, or if the first call of a step in the current turn
 * has no signature. The turn starts at the last user text.
 */
function checkSignatures(contents: Fields[], needsSignatures: boolean): void {
  const lastUserText = contents.findLastIndex(
    ({ role, parts }) => role !== 'model' && objectsIn(parts).some(({ text }) => typeof text === 'string'),
  );
  for (const [index, { parts }] of contents.entries()) {
    let isFirstCall = true;
    for (const [at, part] of objectsIn(parts).entries()) {
      const { functionCall: call, thoughtSignature: signature } = part;
      if (typeof signature === 'string') checkSignature(part, signature);
      else if (isObject(call) && isFirstCall && needsSignatures && index > lastUserText) {
        const rule = `Function call is missing a thought_signature in functionCall parts: \`${call.name}\`, position ${at}.`;
        throw invalidRequest(null, null, rule);
      }
      if (call) isFirstCall = false;
    }
  }
}

function checkSignature({ functionCall: call }: Fields, signature: string): void {
  if (placeholders.some((one) => signature === one || signature === Buffer.from(one).toString('base64')))
    return;
  const sealed = unseal(signature);
  const expected = isObject(call) ? callKey(String(call.name), call.args) : 'text';
  if (sealed !== expected) throw invalidRequest(null, null, 'Corrupted thought signature.');
}

/** Returns the text that the signature of a call covers. */
export function callKey(name: string, args: unknown): string {
  return `${name} ${canonicalJson(args ?? {})}`;
}
